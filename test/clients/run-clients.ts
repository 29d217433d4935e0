/** Installs the clients of this package, and starts the services that their tests connect to. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/package-info.ts";
import { startVitrine } from "../helpers/vitrine.ts";
import type { Outcome, RunOptions } from "../run-files.ts";
import { type Services, servicesVariable } from "./environment.ts";

const directory = join(packageRoot, "test", "clients");

/** Several clients need a newer Node than Vitrine. */
const node = join(packageRoot, "node_modules", "node", "bin", "node");

/** Maximum time of one client's tests. */
const timeoutMs = 180_000;

const tokenSecret = "a secret that only the tests of clients know";

/**
 * @param prepared resolves when `prepareClients` is done
 * @param run runs the test files of clients
 * @returns a failure when the clients cannot be installed or the services do not start
 */
export const withClients = async (
  files: readonly string[],
  prepared: Promise<void>,
  run: (options: RunOptions) => Promise<readonly Outcome[]>,
): Promise<readonly Outcome[]> => {
  if (files.length === 0) return [];
  try {
    await prepared;
    return await withServices(run);
  } catch (error) {
    const output = String(error);
    console.error(output);
    return [{ files, passed: 0, failed: 1, output, seconds: 0 }];
  }
};

const withServices = async (
  run: (options: RunOptions) => Promise<readonly Outcome[]>,
): Promise<readonly Outcome[]> => {
  const start = (...args: readonly string[]) =>
    startVitrine(["--demo", ...args], { env: { TOKEN_SECRET: tokenSecret } });
  const all = await Promise.all([
    start(),
    start("--tools-access", "open"),
    start("--rate-limit", "1"),
  ]);
  const [token, open, limited] = all;
  try {
    await Promise.all(all.map(({ ready }) => ready()));
    const services: Services = {
      ...{ url: token.url, openUrl: open.url, limitedUrl: limited.url, tokenSecret },
    };
    const env = { [servicesVariable]: JSON.stringify(services), VITRINE_TEST_EXIT: "1" };
    return await run({ node, timeoutMs, env });
  } finally {
    await Promise.all(all.map(({ stop }) => stop()));
  }
};

/** Installs the clients and checks the types of their tests. */
export const prepareClients = async (): Promise<void> => {
  await installClients();
  rmSync(join(directory, "node_modules", ".cache"), { recursive: true, force: true });
  await checkTypes();
};

/**
 * Installs the locked versions when they are not. Without install scripts, and without optional packages: Genkit's would be
 * half of all.
 */
const installClients = async (): Promise<void> => {
  const lock = readFileSync(join(directory, "package-lock.json"), "utf8");
  const record = join(directory, "node_modules", "installed-lock.json");
  if (existsSync(record) && readFileSync(record, "utf8") === lock) return;
  console.log("Installing the clients of test/clients: 0.8 GB, some two minutes");
  const options = ["--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"];
  const npm = spawn("npm", ["ci", ...options, "--loglevel=error"], {
    cwd: directory,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(npm, "close");
  if (code !== 0) throw new Error(`npm ci of test/clients ended with code ${code}`);
  writeFileSync(record, lock);
};

const checkTypes = async (): Promise<void> => {
  const tsc = join(packageRoot, "node_modules", "typescript", "bin", "tsc");
  const check = spawn(process.execPath, [tsc, "-p", directory], { stdio: "inherit" });
  const [code] = await once(check, "close");
  if (code !== 0) throw new Error("test/clients has the type errors that are printed above");
};
