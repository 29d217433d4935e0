/** Installs the clients of this package, and starts the services that their tests connect to. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/package-info.ts";
import { startVitrine, until } from "../helpers/vitrine.ts";
import type { Outcome, RunOptions } from "../run-files.ts";
import { type Services, servicesVariable } from "./environment.ts";

const directory = join(packageRoot, "test", "clients");

/** Several clients need a newer Node than Vitrine. */
const node = join(packageRoot, "node_modules", "node", "bin", "node");

/** Maximum time of one client's tests. */
const timeoutMs = 180_000;

const tokenSecret = "a secret that only the tests of clients know";

/** @param run runs the test files of clients */
export const withClients = async (
  files: readonly string[],
  run: (options: RunOptions) => Promise<readonly Outcome[]>,
): Promise<readonly Outcome[]> => {
  if (files.length === 0) return [];
  install();
  checkTypes();
  const env = { TOKEN_SECRET: tokenSecret };
  const [demo, limited] = await Promise.all([
    startVitrine(["--demo"], { env }),
    startVitrine(["--demo", "--rate-limit", "1"], { env }),
  ]);
  try {
    await until(
      () => demo.graphql<unknown>("{ product(id: 1006) { name } }"),
      ({ status }) => status === 200,
    );
    const services: Services = { url: demo.url, limitedUrl: limited.url, tokenSecret };
    return await run({
      node,
      timeoutMs,
      env: { [servicesVariable]: JSON.stringify(services), VITRINE_TEST_EXIT: "1" },
    });
  } finally {
    await Promise.all([demo.stop(), limited.stop()]);
  }
};

/**
 * Installs the locked versions when they are not. Without install scripts, and without optional packages: Genkit's would be
 * half of all.
 */
const install = (): void => {
  const lock = readFileSync(join(directory, "package-lock.json"), "utf8");
  const installed = join(directory, "node_modules", "installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === lock) return;
  console.log("Installing the clients of test/clients: 750 MB, some two minutes");
  const options = ["--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"];
  execFileSync("npm", ["ci", ...options, "--loglevel=error"], {
    cwd: directory,
    stdio: ["ignore", "ignore", "inherit"],
  });
  writeFileSync(installed, lock);
};

const checkTypes = (): void => {
  const tsc = join(packageRoot, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", directory], { stdio: "inherit" });
  if (status !== 0) throw new Error("test/clients has the type errors that are printed above");
};
