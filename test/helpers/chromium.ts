import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { installOnDebian, isExecutable } from "./debian.ts";

/** Program names on the PATH; the first is the one of the Debian package. */
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** On macOS the program is here and not on the PATH. */
const macProgram = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/**
 * Keeps Chromium off the network: no background requests, and no page resolves a name or address other than
 * 127.0.0.1.
 */
const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/**
 * Starts a real headless Chromium with a new, empty profile; `close` removes both. It runs without its
 * sandbox, which Chromium refuses to root: it opens only pages of this project.
 */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumProgram(),
    headless: true,
    chromiumSandbox: false,
    args: flags,
  });

/**
 * Finds Chromium or Chrome on the PATH, or installs it on Debian as root.
 * @throws an error whose one line says how to install it
 */
export function chromiumProgram(): string {
  const found = findChromium() ?? (installOnDebian("chromium") ? findChromium() : undefined);
  if (found !== undefined) return found;
  throw new Error(
    "the tests need Chromium: `apt-get install chromium`, or https://www.google.com/chrome, on the PATH",
  );
}

export const findChromium = (): string | undefined => {
  const directories = [
    ...(process.env.PATH ?? "").split(delimiter),
    "/usr/bin",
    "/usr/local/bin",
  ].filter((directory) => directory !== "");
  return [
    ...names.flatMap((name) => directories.map((directory) => join(directory, name))),
    macProgram,
  ].find(isExecutable);
};
