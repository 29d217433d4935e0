#!/usr/bin/env node
import { runProcess } from "./cli/run-process.ts";

// The composition root of commands. The other processes of `serve` have one each (cli/supervisor/roles).
runProcess(async () => {
  const { runProgram } = await import("./cli/program.ts");
  return runProgram(process.argv.slice(2), process.env);
});
