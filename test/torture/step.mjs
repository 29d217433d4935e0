/**
 * Loaded into a command before its program (`--import`): counts what it changes in the data directory that
 * VITRINE_TEST_DIRECTORY names, call by call of node:fs, and ends it by SIGKILL, or lets it fail with EIO, before the
 * call that VITRINE_TEST_STEP numbers. Those there were stand in the file VITRINE_TEST_STEPS names, a line each.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const {
  VITRINE_TEST_DIRECTORY: directory = "",
  VITRINE_TEST_STEP: step = "0",
  VITRINE_TEST_STEPS: file,
  VITRINE_TEST_OUTCOME: outcome,
} = process.env;
const changing = [
  "mkdirSync",
  "renameSync",
  "rmSync",
  "symlinkSync",
  "unlinkSync",
  "writeFileSync",
  "openSync",
  "fsyncSync",
  "linkSync",
  "chmodSync",
  "copyFileSync",
  "cpSync",
];
const steps = [];

const isAbout = (given) =>
  given.some((each) => typeof each === "number" || String(each).startsWith(directory));

if (/main\.[jt]s$/.test(process.argv[1] ?? "")) {
  for (const name of changing) {
    const real = fs[name];
    fs[name] = (...given) => {
      if (!isAbout(given)) return real(...given);
      steps.push([name, ...given.filter((each) => String(each).startsWith(directory))].join(" "));
      if (steps.length === Number(step)) {
        if (outcome !== "EIO") process.kill(process.pid, "SIGKILL");
        throw Object.assign(new Error("EIO: i/o error"), { code: "EIO", syscall: name });
      }
      return real(...given);
    };
  }
  const write = fs.writeFileSync;
  process.on("exit", () => file && write(file, steps.join("\n")));
  syncBuiltinESMExports();
}
