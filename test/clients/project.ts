/** Runs generators of code, and compiles and runs programs with that code. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";

/** A temporary directory from which imports of the installed clients resolve. */
export interface Project {
  readonly path: string;
  write(file: string, text: string): void;
  /** Runs the command of a client. */
  run(command: string, ...args: readonly string[]): Promise<Run>;
  /** As `run`. Throws the output if the command fails. @returns what it printed */
  mustRun(command: string, ...args: readonly string[]): Promise<string>;
  /** Checks the types of a program, and runs it. @returns what it printed */
  runProgram(text: string): Promise<string>;
}

export interface Run {
  readonly code: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

const modules = join(packageRoot, "test", "clients", "node_modules");

/** Vitrine's, because a client has one too, which lacks the optional packages of its compiler. */
const tsx = createRequire(join(packageRoot, "package.json")).resolve("tsx");

/** Settings of the compiler for new projects. */
const compilerOptions = {
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
};

/** @param more compiler options of the project */
export const createProject = (more: Readonly<Record<string, unknown>> = {}): Project => {
  const path = createDirectory();
  const write = (file: string, text: string): void => writeFileSync(join(path, file), text);
  const run = (command: string, ...args: readonly string[]): Promise<Run> =>
    runNode(path, [join(modules, ".bin", command), ...args]);
  const mustRun = async (command: string, ...args: readonly string[]): Promise<string> =>
    successOf(await run(command, ...args));
  const options = { ...compilerOptions, ...more };
  write("package.json", JSON.stringify({ type: "module" }));
  write("tsconfig.json", JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
  return {
    ...{ path, write, run, mustRun },
    async runProgram(text) {
      write("program.ts", text);
      await mustRun("tsc", "-p", path);
      return successOf(await runNode(path, ["--import", tsx, "program.ts"]));
    },
  };
};

/** The directory is removed when the process exits. */
const createDirectory = (): string => {
  const cache = join(modules, ".cache");
  mkdirSync(cache, { recursive: true });
  const path = mkdtempSync(join(cache, "project-"));
  process.on("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
};

const runNode = (cwd: string, args: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    const env = { ...process.env, HOME: cwd, NO_COLOR: "1", DO_NOT_TRACK: "1" };
    const child = execFile(process.execPath, args, { cwd, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
    child.stdin?.end();
  });

const successOf = ({ code, output }: Run): string => {
  assert.is(code, 0, output);
  return output;
};
