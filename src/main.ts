#!/usr/bin/env node
import { runProcess } from "./cli/run-process.ts";

// The program of all commands. The other processes of `serve` have one each: `programs` in deploy/build.mjs.
runProcess(async () => {
  const { runProgram } = await import("./cli/program.ts");
  return runProgram(process.argv.slice(2), process.env);
});
