import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../src/package-info.ts";

/** Names use the standard terms of the field, so that a new developer can look them up. */
const test = suite("words");

/** Words that no identifier may contain. `order` is allowed only for a purchase or a sort. */
const banned = new Set(
  "told untold tell telling tellings said asked known former standing moment world order look sound whole beside apart patiently otherwise anew settle place manager service helper util dto".split(
    " ",
  ),
);

/** Names in interfaces to clients, operators and other processes, and in packages and standards. */
const allowed = new Set([
  // Rows and tables of the read model.
  ...["categoryOrder", "priceOrder", "PriceOrderKey", "nameOrder"],
  // The column of `npm run bench -- --json`.
  "beside",
  // The argument of GraphQL and of the tools, and `auth.md`.
  ...["orderBy", "order_by", "service_documentation", "service_auth"],
  // A member of categories at commercetools.
  "orderHint",
  // The API of Kubernetes.
  ...["serviceName", "automountServiceAccountToken"],
  // Exports of the packages nats and turndown.
  ...["JetStreamManager", "jetstreamManager", "TurndownService"],
]);

/** The member of `status --json`. */
const isStatusMember = (name: string, file: string): boolean =>
  name === "service" && (file.startsWith("src/cli/commands/status/") || file.startsWith("test/"));

const isAllowed = (name: string, file: string): boolean =>
  allowed.has(name) || isStatusMember(name, file);

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(packageRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && !file.includes("node_modules"))
    .map((file) => join(folder, file));

const files = [...filesIn("src"), ...filesIn("projections")];

const testFiles = filesIn("test");

/** The code of a file without comments and texts. */
const codeOf = (file: string): string =>
  readFileSync(join(packageRoot, file), "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "")
    .replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""')
    .replaceAll(/`(?:[^`\\]|\\[\s\S])*`/g, "``");

const wordsIn = (identifier: string): readonly string[] =>
  identifier
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_$]+/);

test("no identifier, local or exported, contains a banned word", () => {
  const found = [...files, ...testFiles].flatMap((file) => {
    const identifiers = new Set(codeOf(file).match(/[A-Za-z_$][\w$]*/g));
    return [...identifiers]
      .filter((name) => !isAllowed(name, file) && wordsIn(name).some((word) => banned.has(word)))
      .map((name) => `${file}: ${name}`);
  });
  assert.equal(found, []);
});

test("no name of a file or folder is a banned word", () => {
  const found = files.filter((file) => file.split(/[/.-]/).some((word) => banned.has(word)));
  assert.equal(found, []);
});

/** The folder of a layer: `src/http`, `projections`. */
const layerOf = (file: string): string =>
  file
    .split("/")
    .slice(0, file.startsWith("src/") ? 2 : 1)
    .join("/");

test("no layer exports two types with one name", () => {
  const places = new Map<string, string[]>();
  for (const file of files) {
    for (const [, name] of codeOf(file).matchAll(/^export (?:interface|type) (\w+)/gm)) {
      const key = `${layerOf(file)} ${name}`;
      places.set(key, [...(places.get(key) ?? []), file]);
    }
  }
  assert.equal(
    [...places].filter(([, where]) => where.length > 1),
    [],
  );
});

test.run();
