import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { projections } from "../../projections/index.ts";
import { packageRoot } from "../../src/package-info.ts";

type ProjectionName = (typeof projections)[number]["name"];

const rendering = "src/projector/rendering/index.ts";

/** Files that compute the rows of each projection. The files that they import count too, within `folders`. */
const files: Readonly<Record<ProjectionName, readonly string[]>> = {
  product: [
    "projections/product.ts",
    "projections/product-text.ts",
    "projections/product-variants.ts",
    "projections/offer.ts",
    "src/projector/derive/products/visible-product.ts",
    rendering,
  ],
  price: ["projections/price.ts"],
  stock: ["projections/stock.ts"],
  category: [
    "projections/category.ts",
    "projections/category-tree.ts",
    "src/projector/derive/categories.ts",
    rendering,
  ],
  page: ["projections/page.ts", "src/projector/derive/pages.ts", rendering],
  carrier: ["projections/carrier.ts"],
  shop: ["projections/shop.ts"],
  access: ["projections/agent.ts"],
  search: [
    "projections/search-terms.ts",
    "src/projector/derive/search-index.ts",
    "src/projector/derive/doc-values.ts",
    "src/projector/derive/products/attribute-values.ts",
  ],
  sortIndex: ["src/projector/derive/sort-indexes.ts"],
  changeLog: ["src/projector/derive/change-log.ts"],
  feed: [
    "src/projector/derive/lines/derive-lines.ts",
    "src/surfaces/feed/page.ts",
    "src/read-model/reader/feed/changed-lines.ts",
    "src/events/decode.ts",
    ...readdirSync(join(packageRoot, "schema/events"))
      .filter((name) => name.endsWith(".json"))
      .map((name) => `schema/events/${name}`),
  ],
  sitemap: ["src/projector/derive/page-index.ts", "src/projector/derive/list-dates.ts"],
};

const folders = [
  "projections/",
  "src/projector/derive/",
  "src/projector/rendering/",
  "src/read-model/reader/feed/",
  "src/read-model/schema/row-encoding",
  "src/read-model/search/doc-values/",
  "src/read-model/search/postings/payload.ts",
  "src/read-model/search/text/",
  "src/surfaces/feed/",
  "src/text/markdown/",
];

/** A projection's version, with a hash of the code that made its rows when it was recorded. */
export interface RecordedVersion {
  readonly version: number;
  readonly code: string;
}

const path = join(packageRoot, "test/projections/versions.json");

export const readRecordedVersions = (): Readonly<Record<string, RecordedVersion>> =>
  JSON.parse(readFileSync(path, "utf8"));

export const computeVersions = (): Readonly<Record<string, RecordedVersion>> =>
  Object.fromEntries(
    projections.map(({ name, version }) => [name, { version, code: hashCode(files[name]) }]),
  );

export const recordVersions = (): void =>
  writeFileSync(path, `${JSON.stringify(computeVersions(), null, 2)}\n`);

const hashCode = (entries: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const file of [...withImports(entries)].sort()) hash.update(`${file}\n${codeOf(file)}\n`);
  return hash.digest("hex").slice(0, 16);
};

/** Reads a file without imports, comments, spaces and line breaks, which change no row. */
const codeOf = (file: string): string =>
  readFileSync(join(packageRoot, file), "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "")
    .replaceAll(/^(import|export) [^;{]*(\{[^}]*\})? from [^;]*;$/gm, "")
    .replaceAll(/[\s,]+/g, "");

const withImports = (entries: readonly string[]): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file) || !folders.some((folder) => file.startsWith(folder))) return;
    found.add(file);
    for (const imported of importsOf(file)) visit(imported);
  };
  for (const file of entries) visit(file);
  return found;
};

/** Lists the files from which a file imports values. */
const importsOf = (file: string): readonly string[] =>
  [
    ...readFileSync(join(packageRoot, file), "utf8").matchAll(
      /^import (?!type )[^;]*?from "(\.[^"]+\.ts)"/gm,
    ),
  ].map(([, imported = ""]) => normalize(join(dirname(file), imported)));
