import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/package-info.ts";
import { checkoutFiles, copyFromCheckout } from "../../helpers/checkout.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { makeCleanTools } from "./clean-tools.ts";
import { type Build, type Stage, steps } from "./image-steps.ts";
import { parseDockerfile, type StageSource } from "./parse-dockerfile.ts";

/** Runs the steps of a Dockerfile without an engine, each in a directory that has nothing from the checkout but what it copies. */
export const buildImage = (dockerfile: string): Stage => {
  const build = { context: copyContext(dockerfile), tools: makeCleanTools(), stages: new Map() };
  const text = readFileSync(join(packageRoot, dockerfile), "utf8");
  const built = parseDockerfile(text).map((source) => buildStage(source, build));
  const last = built.at(-1);
  if (last === undefined) throw new Error(`${dockerfile} has no stage`);
  return last;
};

/** Copies what an engine would send: all files but those that the .dockerignore names, each by a path without wildcards. */
const copyContext = (dockerfile: string): string => {
  const context = temporaryDirectory().path;
  const ignored = readFileSync(join(packageRoot, `${dockerfile}.dockerignore`), "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const isSent = (file: string): boolean =>
    !ignored.some((path) => file === path || file.startsWith(`${path}/`));
  copyFromCheckout(checkoutFiles().filter(isSent), context);
  return context;
};

const buildStage = ({ base, name, instructions }: StageSource, build: Build): Stage => {
  let stage: Stage = { base, root: temporaryDirectory().path, ...emptyStage };
  for (const { keyword, text } of instructions) {
    const step = steps[keyword];
    if (step === undefined) throw new Error(`the test cannot run ${keyword} ${text}`);
    stage = { ...stage, ...step(text, stage, build) };
  }
  build.stages.set(name, stage);
  return stage;
};

const emptyStage = {
  ...{ env: {}, workdir: "/", user: "root", volume: "", expose: "" },
  ...{ healthcheck: [], entrypoint: [], cmd: [] },
};
