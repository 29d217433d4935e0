import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { installOnDebian, isExecutable } from "./debian.ts";

/** What it is called on the PATH, the one Debian packages first. */
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** A Mac has it here, not on the PATH. */
const macProgram = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** It speaks to nobody: not for itself, and no page finds a name or an address other than this machine's. */
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
 * A real Chromium without a window, its profile new and empty; `close` removes both. Without its sandbox, which root
 * may not use: it opens the pages of this project alone.
 */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumProgram(),
    headless: true,
    chromiumSandbox: false,
    args: flags,
  });

/**
 * The path of Chromium or Chrome: from the PATH, else installed on Debian for root.
 * @throws with one line that says how to get it
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
