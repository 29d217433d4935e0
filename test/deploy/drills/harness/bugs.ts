import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../../../src/package-info.ts";

const preload = (name: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import ${pathToFileURL(join(packageRoot, "test", "torture", name)).href}`,
});

/** Settings of a service whose projector fails at the event with the id `bug`, and at product 666. */
export const withBug = preload("bug.mjs");
