import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { networkEnv } from "../../helpers/network-env.ts";

/** A stage after its steps. Its fields have the names of the instructions. */
export interface Stage {
  readonly base: string;
  /** Directory that stands for `/`. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  readonly user: string;
  readonly volume: string;
  readonly expose: string;
  readonly healthcheck: readonly string[];
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
}

/** What all stages have in common. */
export interface Build {
  /** Directory of the files that the checkout gives. */
  readonly context: string;
  /** Directory of the programs that steps may call. */
  readonly tools: string;
  readonly stages: Map<string, Stage>;
}

type Step = (text: string, stage: Stage, build: Build) => Partial<Stage>;

const parseExec = (text: string): readonly string[] => JSON.parse(text);

/** What each instruction changes in its stage. An instruction that is not listed fails the test. */
export const steps: Readonly<Record<string, Step>> = {
  WORKDIR: (workdir, { root }) => {
    mkdirSync(join(root, workdir), { recursive: true });
    return { workdir };
  },
  ENV: (text, { env }) => ({
    env: { ...env, ...Object.fromEntries(text.split(/\s+/).map((pair) => pair.split("="))) },
  }),
  COPY: (text, stage, build) => copy(text.split(/\s+/), stage, build),
  RUN: (text, stage, build) => run(text, stage, build),
  USER: (user) => ({ user }),
  VOLUME: (volume) => ({ volume }),
  EXPOSE: (expose) => ({ expose }),
  HEALTHCHECK: (text) => ({ healthcheck: parseExec(text.replace(/^.*?\bCMD /, "")) }),
  ENTRYPOINT: (text) => ({ entrypoint: parseExec(text) }),
  CMD: (text) => ({ cmd: parseExec(text) }),
};

/** Copies as Docker does: a directory by its content, a file into a target that ends with a slash. */
const copy = (words: readonly string[], { root, workdir }: Stage, build: Build) => {
  const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
  const sourceRoot = from === undefined ? build.context : build.stages.get(from)?.root;
  if (sourceRoot === undefined) throw new Error(`no stage ${from} to copy from`);
  const paths = words.filter((word) => !word.startsWith("--"));
  const destination = paths.at(-1) ?? "";
  const target = join(root, destination.startsWith("/") ? "" : workdir, destination);
  for (const path of paths.slice(0, -1)) {
    const source = join(sourceRoot, path);
    const isInto = statSync(source).isFile() && destination.endsWith("/");
    cpSync(source, isInto ? join(target, basename(source)) : target, {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  return {};
};

/** Runs a command in the directory of its stage. Absolute paths begin there, and its user and group are those of the test. */
const run = (command: string, { root, workdir, env }: Stage, { tools }: Build) => {
  const inStage = command
    .replaceAll(/(?<=\s)\/(?=\w)/g, `${root}/`)
    .replaceAll("--owner=node", `--owner=${process.getuid?.()}`)
    .replaceAll("--group=node", `--group=${process.getgid?.()}`);
  execFileSync(join(tools, "sh"), ["-c", inStage], {
    cwd: join(root, workdir),
    env: { ...networkEnv(), PATH: tools, HOME: temporaryDirectory().path, ...env },
    stdio: "pipe",
  });
  return {};
};
