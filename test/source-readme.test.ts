import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../src/package-info.ts";

const test = suite("src/README.md");
const read = (path: string): string => readFileSync(join(packageRoot, path), "utf8");
const page = read("src/README.md");

const entries = ["src", "projections", "schema", "test", "deploy"].flatMap((root) => [
  root,
  ...readdirSync(join(packageRoot, root), { recursive: true, encoding: "utf8" })
    .filter((path) => !path.includes("node_modules"))
    .map((path) => `${root}/${path}`),
]);
const isFolder = (path: string): boolean => statSync(join(packageRoot, path)).isDirectory();

const blockOf = (heading: string): string =>
  new RegExp(`^## ${heading}\\n[\\s\\S]*?^\`\`\`\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page)?.[1] ??
  "";

/** Names in back-quotes outside the blocks. */
const text = page.replaceAll(/^```[\s\S]*?^```$/gm, "");
const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name);

/** An extension or a slash makes a name a path; the page leaves out `src/`, and a folder that it has just named. */
const isPath = (name: string): boolean =>
  /^[\w-][\w./-]*(\.(ts|mjs|json|md|graphql|yaml|service)|\/)$/.test(name) ||
  /^[\w-]+(\/[\w-]+)+$/.test(name);

const find = (path: string): readonly string[] => {
  const bare = path.replace(/\/$/, "");
  return entries.filter((entry) => entry === bare || entry.endsWith(`/${bare}`));
};

/** Everything that a name may stand for, without comments. */
const code = [...entries.filter((path) => /\.(ts|mjs|json|graphql|yaml|service)$/.test(path))]
  .concat("package.json")
  .map(read)
  .join("\n")
  .replaceAll(/^\s*\/\/.*$|^\s*\/\*[\s\S]*?\*\/$/gm, "");
const words = new Set(code.match(/\w+/g));

interface Row {
  /** The files and folders that a row of the tree describes. */
  readonly paths: readonly string[];
  readonly description: string;
}

/** The rows of the tree; deep indentation continues the description above. */
const readTree = (): readonly Row[] => {
  const rows: Row[] = [];
  let folder = "src";
  for (const line of blockOf("The tree")
    .replaceAll(/\n {10,}/g, " ")
    .trimEnd()
    .split("\n")) {
    const [, indent = "", names = "", description = ""] =
      /^( *)(\S+(?: \S+)*) {2,}(.*)$/.exec(line) ?? [];
    const parent = indent === "" ? "src" : folder;
    const paths = names.split(" ").map((name) => `${parent}/${name.replace(/\/$/, "")}`);
    if (indent === "") folder = paths[0] ?? "";
    rows.push({ paths, description });
  }
  return rows;
};

/** The files and folders that a description names, which are somewhere below what it describes. */
const mentioned = ({ paths: [path = ""], description }: Row): readonly string[] => {
  const base = path.endsWith(".ts") ? dirname(path) : path;
  return [...description.matchAll(/(?<![\w/-])([\w-]+(?:\.ts\b|\/(?!\w)))/g)].map(
    ([, name = ""]) => {
      const found = find(name).find((entry) => entry.startsWith(`${base}/`));
      return found ?? `nothing: ${base}/…/${name}`;
    },
  );
};

test("everything that the tree names exists", () => {
  const rows = readTree();
  assert.ok(rows.length > 50, `${rows.length} rows`);
  const named = rows.flatMap((row) => [...row.paths, ...mentioned(row)]);
  assert.equal(
    named.filter((path) => !entries.includes(path)),
    [],
  );
});

test("the tree names every folder of src two levels deep, and every file beside them", () => {
  const named = readTree().flatMap((row) => [...row.paths, ...mentioned(row)]);
  const expected = entries.filter((path) =>
    path.startsWith("src/") && isFolder(path)
      ? path.split("/").length <= 3
      : /^src\/[^/]+\.ts$/.test(path),
  );
  assert.equal(
    expected.filter((path) => !named.includes(path)),
    [],
  );
});

test("the layers name every file and folder of src, and nothing else", () => {
  const named = blockOf("The layers")
    .split(/[\s<,]+/)
    .filter(Boolean);
  const expected = readdirSync(join(packageRoot, "src")).filter((name) => name !== "README.md");
  assert.equal([...named].sort(), [...expected, "projections"].sort());
});

test("every path in back-quotes exists", () => {
  const paths = quoted.filter(isPath);
  assert.ok(paths.length > 150, `${paths.length} paths`);
  assert.equal(
    // `tools/list` is a method of MCP.
    paths.filter((path) => find(path).length === 0 && !code.includes(`"${path}"`)),
    [],
  );
});

test("every other name in back-quotes is one of the code", () => {
  const names = quoted.filter((name) => !isPath(name));
  const unknown = names.filter((name) =>
    (name.match(/[A-Za-z]\w+/g) ?? []).some((word) => !words.has(word)),
  );
  assert.ok(names.length > 200, `${names.length} names`);
  assert.equal(unknown, []);
});

test("a name before files in brackets is one of these files", () => {
  const pairs = [...text.matchAll(/`(\w+)`(?: and `(\w+)`)?\s\(((?:(?:, )?`[^`\n]+\.ts`)+)/g)];
  const strays = pairs.flatMap(([, first = "", second = first, files = ""]) => {
    const there = files
      .split(", ")
      .flatMap((file) => find(file.replaceAll("`", "")))
      .map(read);
    return [first, second]
      .filter((name) => !there.some((source) => new RegExp(`\\b${name}\\b`).test(source)))
      .map((name) => `${name} (${files})`);
  });
  assert.ok(pairs.length > 50, `${pairs.length} pairs`);
  assert.equal(strays, []);
});

test.run();
