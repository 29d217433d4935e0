import { realpathSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isExecutable } from "../../helpers/debian.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";

/** Programs that an image of Node has and that its steps may call. */
const programs =
  "npm npx sh env install mkdir rm mv cp ln chmod cat ls uname dirname basename".split(" ");

/**
 * Makes a directory for the PATH that has this Node, npm, a shell and coreutils alone, so that a step that needs a compiler, git or a
 * program of the checkout fails.
 */
export const makeCleanTools = (): string => {
  const directory = temporaryDirectory().path;
  symlinkSync(process.execPath, join(directory, "node"));
  for (const name of programs) symlinkSync(findProgram(name), join(directory, name));
  return directory;
};

const findProgram = (name: string): string => {
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find(isExecutable);
  if (found === undefined) throw new Error(`${name} is not on the PATH`);
  return realpathSync(found);
};
