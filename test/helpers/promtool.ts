import { spawnSync } from "node:child_process";
import { debianProgram } from "./debian-programs.ts";

/** What promtool reports, with its exit code. */
export interface PromtoolReport {
  readonly code: number | null;
  readonly report: string;
}

/** Runs Prometheus' promtool. @param input its standard input */
export const promtool = (args: readonly string[], input = ""): PromtoolReport => {
  const { status, stdout, stderr } = spawnSync(debianProgram("promtool"), args, {
    input,
    encoding: "utf8",
  });
  return { code: status, report: stdout + stderr };
};
