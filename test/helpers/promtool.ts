import { execFileSync, spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { isExecutable, unpackDebian } from "./debian.ts";
import { temporaryDirectory } from "./directory.ts";

/** Finds Prometheus' promtool on the PATH, or unpacks Debian's. */
const promtoolProgram = (): string => {
  const directories = (process.env.PATH ?? "").split(delimiter);
  const installed = directories.map((path) => join(path, "promtool")).find(isExecutable);
  if (installed !== undefined) return installed;
  execFileSync("apt-get", ["update"], { stdio: "ignore" });
  const directory = join(temporaryDirectory().path, "prometheus");
  return join(unpackDebian("prometheus", directory), "usr", "bin", "promtool");
};

/** Runs `promtool check metrics`. @returns its exit code and what it reports */
export const checkMetrics = (
  text: string,
): { readonly code: number | null; readonly report: string } => {
  const { status, stdout, stderr } = spawnSync(promtoolProgram(), ["check", "metrics"], {
    input: text,
    encoding: "utf8",
  });
  return { code: status, report: stdout + stderr };
};
