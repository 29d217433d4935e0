import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../src/package-info.ts";

const test = suite("imports");
const root = packageRoot;

/** Layers, lowest first. A folder imports only from itself and from layers below it. */
const layers: readonly (readonly string[])[] = [
  [
    "src/errors.ts",
    "src/lmdb",
    "src/package-info.ts",
    "src/platform",
    "src/text",
    "src/setting-kinds.ts",
    "src/settings.ts",
    "src/config.ts",
    "src/log.ts",
  ],
  ["src/events"],
  ["src/offers"],
  ["src/event-log", "src/read-model/schema", "src/connectors"],
  ["src/read-model/store"],
  [
    "src/read-model/generations",
    "src/read-model/integrity",
    "src/read-model/compare",
    "src/read-model/registrations",
  ],
  ["src/read-model/operator", "src/read-model/search"],
  ["src/read-model/reader"],
  ["projections"],
  ["src/projector/rendering", "src/projector/unit-of-work"],
  ["src/projector/derive"],
  // The parts of the projector for its log, its generation and its status.
  [
    ...["context", "run-context", "open-generation", "projection-version"],
    ...["advance-checkpoint", "retry-while-unavailable", "control/request", "control/interrupt"],
    ...["integrity/lock", "integrity/disk-reserve"],
  ]
    .map((name) => `src/projector/${name}.ts`)
    .concat("src/projector/status", "src/projector/continuity"),
  ["src/projector/batch"],
  ["src/projector/rebuild"],
  ["src/projector/dead-letters", "src/projector/explain", "src/projector/reconcile"],
  ["src/projector/control"],
  // The run loop and its states.
  ["src/projector"],
  ["src/projector/integrity"],
  ["src/surfaces"],
  ["src/http"],
  ["src/ops"],
  ["src/gateway"],
  ["src/cli", "src/main.ts"],
];

/** Packages that only one folder may import, so that each can be replaced in one folder. */
const owned: Readonly<Record<string, readonly string[]>> = {
  nats: ["src/event-log"],
  lmdb: ["src/lmdb", "src/read-model", "src/event-log", "src/gateway"],
  koa: ["src/http", "src/ops", "src/gateway"],
  graphql: ["src/surfaces/graphql"],
  "graphql-helix": ["src/surfaces/graphql"],
  "@opentelemetry/api": ["src/ops/tracing"],
  "@opentelemetry/sdk-trace-base": ["src/ops/tracing"],
  turndown: ["src/projector/rendering"],
  "lossless-json": ["src/connectors"],
  sax: ["src/connectors"],
  "csv-parse": ["src/connectors"],
  ajv: ["src/events", "src/surfaces/json-schema.ts"],
  "@modelcontextprotocol/sdk": ["src/surfaces/mcp"],
};

const files = ["src", "projections"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .map((file) => join(folder, file)),
);

/** Lists the imports of values and of types, because an imported type is a dependency too. */
const importsOf = (file: string): { readonly path: string }[] =>
  [
    ...readFileSync(join(root, file), "utf8").matchAll(
      /^(?:import|export)\s[^;]*?from\s+"([^"]+)"|(?<=\bimport\()"([^"]+)"/gm,
    ),
  ].map(([, path, late]) => ({ path: path ?? late ?? "" }));

/** Returns the layer with the longest entry that names the file or a folder above it; -1 when there is none. */
const layerOf = (file: string): number => {
  const length = (layer: readonly string[]): number =>
    Math.max(
      0,
      ...layer
        .filter((entry) => file === entry || file.startsWith(`${entry}/`))
        .map((entry) => entry.length),
    );
  const lengths = layers.map(length);
  const longest = Math.max(...lengths);
  return longest === 0 ? -1 : lengths.indexOf(longest);
};

const local = (file: string, path: string): string =>
  relative(".", normalize(join(dirname(file), path)));

test("finds the project's files", () => {
  assert.ok(files.length > 40, `${files.length} files`);
});

test("every file belongs to a layer", () => {
  assert.equal(
    files.filter((file) => layerOf(file) === -1),
    [],
  );
});

test("a file imports from its own layer and from lower ones only", () => {
  const upward = files.flatMap((file) =>
    importsOf(file)
      .filter(({ path }) => path.startsWith("."))
      .map(({ path }) => local(file, path))
      .filter((path) => layerOf(path) > layerOf(file))
      .map((path) => `${file} -> ${path}`),
  );
  assert.equal(upward, []);
});

/** Files of the model and the events that surfaces may import. */
const allowed = [
  ...["reader", "product", "product-json", "offer", "variants", "feed/position"].map(
    (name) => `src/read-model/reader/${name}.ts`,
  ),
  ...["documents", "lines", "product-parts", "queries"].map(
    (name) => `src/read-model/schema/${name}.ts`,
  ),
  // Lists and shapes of the contract, which the surfaces and the events both use.
  ...["src/events/countries.ts", "src/events/product-facts.ts"],
];

test("surfaces import only the reader, its queries and documents of the model", () => {
  const reaching = files
    .filter((file) => file.startsWith("src/surfaces") || file.startsWith("src/http"))
    .flatMap((file) =>
      importsOf(file)
        .map(({ path }) => (path.startsWith(".") ? local(file, path) : path))
        .filter((path) => /^src\/(read-model|event-log|events|projector)/.test(path))
        .filter((path) => !allowed.includes(path))
        .map((path) => `${file} -> ${path}`),
    );
  assert.equal(reaching, []);
});

test("src/README.md lists the same files, and no import goes up between its layers", () => {
  const page = readFileSync(join(root, "src/README.md"), "utf8");
  const [, listed = ""] =
    /`surfaces` and `http` import these files only:([^*]*?)\.\n/.exec(page) ?? [];
  const paths = [...listed.matchAll(/`([^`]+)`/g)].map(([, path]) => `src/${path}`);
  assert.equal(paths.sort(), [...allowed].sort());
  const [, block = ""] =
    /^## The layers\n[^`]*?```\n([^`]*)```/m.exec(page.replace(/\[.*?\)/, "")) ?? [];
  const written = block.split("<").map((layer) => layer.split(/[\s,]+/).filter(Boolean));
  assert.ok(written.length > 8, block);
  const height = (file: string): number =>
    written.findIndex((layer) =>
      layer.includes(file.split("/")[file.startsWith("src/") ? 1 : 0] ?? ""),
    );
  const upward = files.flatMap((file) =>
    importsOf(file)
      .filter(({ path }) => path.startsWith(".") && height(local(file, path)) > height(file))
      .map(({ path }) => `${file} -> ${path}`),
  );
  assert.equal(upward, []);
});

test("projections import no package", () => {
  const impure = files
    .filter((file) => file.startsWith("projections"))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ path }) => !path.startsWith("."))
        .map(({ path }) => `${file} -> ${path}`),
    );
  assert.equal(impure, []);
});

test("each package is imported in its own folders only", () => {
  const strays = files.flatMap((file) =>
    importsOf(file)
      .filter(({ path }) => {
        const name = /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? "";
        const homes = owned[path] ?? owned[name];
        return !path.startsWith(".") && homes && !homes.some((home) => file.startsWith(home));
      })
      .map(({ path }) => `${file} -> ${path}`),
  );
  assert.equal(strays, []);
});

test("no files import each other in a circle, types included", () => {
  const graph = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter(({ path }) => path.startsWith("."))
        .map(({ path }) => local(file, path)),
    ]),
  );
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file))
      circles.push([...trail.slice(trail.indexOf(file)), file].join(" -> "));
    if (done.has(file) || trail.includes(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  assert.equal(circles, []);
});

test("the benchmarks load the built module whose type they name", () => {
  const bench = readdirSync(join(root, "test/bench"), { recursive: true, encoding: "utf8" });
  const loaded = bench
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => [
      ...readFileSync(join(root, "test/bench", file), "utf8").matchAll(
        /importBuilt<\s*typeof import\("(?:\.\.\/)+src\/([^"]+)\.ts"\)\s*>\(\s*"([^"]+)"/g,
      ),
    ])
    .map(([, typed, path]) => [typed, path]);
  assert.ok(loaded.length > 10, `${loaded.length} modules`);
  for (const [typed, path] of loaded) assert.is(path, typed);
});

test("only torture tests import from test/torture", () => {
  const outside = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/^(torture|clients)\/|node_modules/.test(file))
    .map((file) => join("test", file))
    .filter((file) =>
      importsOf(file)
        .filter(({ path }) => path.startsWith("."))
        .some(({ path }) => local(file, path).startsWith("test/torture/")),
    );
  assert.equal(outside, []);
});

test.run();
