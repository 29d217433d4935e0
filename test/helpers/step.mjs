/**
 * Counts the node:fs calls by which a command changes a data directory, loaded before its program (`--import`).
 * VITRINE_TEST_DIRECTORY names the directory. Before the call with the number VITRINE_TEST_STEP the process is killed, or
 * the call fails with EIO if VITRINE_TEST_OUTCOME says so. At its exit the process writes its calls to the file
 * VITRINE_TEST_STEPS, one per line.
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

const isInDirectory = (args) =>
  args.some((each) => typeof each === "number" || String(each).startsWith(directory));

if (/main\.[jt]s$/.test(process.argv[1] ?? "")) {
  for (const name of changing) {
    const real = fs[name];
    fs[name] = (...args) => {
      if (!isInDirectory(args)) return real(...args);
      steps.push([name, ...args.filter((each) => String(each).startsWith(directory))].join(" "));
      if (steps.length === Number(step)) {
        if (outcome !== "EIO") process.kill(process.pid, "SIGKILL");
        throw Object.assign(new Error("EIO: i/o error"), { code: "EIO", syscall: name });
      }
      return real(...args);
    };
  }
  const write = fs.writeFileSync;
  process.on("exit", () => file && write(file, steps.join("\n")));
  syncBuiltinESMExports();
}
