/** Reads the pages of `deploy/connect`, and runs their commands as an operator does. */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { compileCache } from "../../helpers/vitrine.ts";
import { pathWithVitrine, type Shell, startCommands } from "../drills/harness/shell.ts";

export interface CodeBlock {
  /** Words behind the fence: `sh`, `sh not-run`, `json`. */
  readonly info: string;
  readonly text: string;
}

const folder = join(packageRoot, "deploy", "connect");

export const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));
export const guides = pages.filter((name) => name !== "README.md");

export const readPage = (name: string): string => readFileSync(join(folder, name), "utf8");

/** Reads the code blocks of a text; those of a list are indented. */
export const readBlocks = (text: string): readonly CodeBlock[] =>
  [...text.matchAll(/^( *)```(\S.*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = "", info = "", block = ""]) => ({
      info,
      text: block.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );

/** Reads the blocks of a page with an info. @returns at least one */
export const blocksOf = (page: string, info: string): readonly string[] => {
  const found = readBlocks(readPage(page)).filter((block) => block.info === info);
  assert.ok(found.length > 0, `${page} has no block of ${info}`);
  return found.map(({ text }) => text);
};

/** Reads the first example of a file of connections in a text. */
export const connectionsIn = (text: string): Readonly<Record<string, object>> => {
  const block = readBlocks(text).find(
    ({ info, text: json }) => info === "json" && json.includes('"connections"'),
  );
  return JSON.parse(block?.text ?? '{"connections":{}}').connections;
};

/** Secrets by the variables that the guides name. */
export const secrets: Readonly<Record<string, string>> = {
  SHOPIFY_SECRET: "shopify-secret",
  WOO_SECRET: "woo-secret",
  CT_SECRET: "ct-secret",
};

export interface Home extends Shell {
  readonly dataDir: string;
  /** Path of `connections.json`. */
  readonly connections: string;
}

/** Creates a directory with the exports of `exports/` and a file of connections. */
export const openHome = (
  connections: Readonly<Record<string, object>>,
  env: Readonly<Record<string, string>> = {},
): Home => {
  const directory = temporaryDirectory().path;
  const exported = join(packageRoot, "test", "deploy", "connect", "exports");
  for (const name of readdirSync(exported))
    copyFileSync(join(exported, name), join(directory, name));
  const file = join(directory, "connections.json");
  writeFileSync(file, JSON.stringify({ connections }));
  const dataDir = join(directory, "data");
  const settings = { DATA_DIR: dataDir, CONNECTIONS: file, LOG_LEVEL: "warn" };
  const path = { PATH: pathWithVitrine(directory), HOME: directory };
  const all = { ...path, ...compileCache, ...secrets, ...settings, ...env };
  return { directory, dataDir, connections: file, env: all };
};

/** Runs commands, each of which must succeed. @returns their output */
export const runCommands = async (commands: string, home: Home): Promise<string> => {
  const { code, output } = await startCommands(`set -o pipefail\n${commands}`, home).ended;
  assert.is(code, 0, `${commands}\n${output}`);
  return output;
};
