import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A row of the source catalogue. */
interface Row {
  readonly id: string;
  readonly name: string;
  readonly descriptionHtml: string;
  readonly price: string;
  readonly currency: string;
  readonly categoryPath: readonly [string, string];
  readonly image: string;
}

export interface SourceCategory {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly parentId: number | null;
}

export interface SourceProduct extends Row {
  /** The demo shop's own id. */
  readonly number: number;
  readonly category: SourceCategory;
}

export interface Source {
  /** Parents before their children. */
  readonly categories: readonly SourceCategory[];
  readonly products: readonly SourceProduct[];
}

/** Ids follow the order of the source, so that they stay while the source does. */
export function readSource(path: string): Source {
  const lines = gunzipSync(readFileSync(path)).toString().trim().split("\n");
  const rows = lines.map((line): Row => JSON.parse(line));
  const categories = categoriesOf(rows);
  const products = rows.map((row, index) => ({
    ...row,
    number: 1001 + index,
    category: found(categories, pathOf(row.categoryPath)),
  }));
  return { categories, products };
}

export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

function categoriesOf(rows: readonly Row[]): readonly SourceCategory[] {
  const tops = [...new Set(rows.map(({ categoryPath }) => categoryPath[0]))].map(
    (name, index): SourceCategory => ({
      id: 1 + index,
      name: titleOf(name),
      path: slugOf(name),
      parentId: null,
    }),
  );
  const leaves = new Map(rows.map(({ categoryPath }) => [pathOf(categoryPath), categoryPath]));
  const children = [...leaves].map(
    ([path, [top, name]], index): SourceCategory => ({
      id: 101 + index,
      name: titleOf(name),
      path,
      parentId: found(tops, slugOf(top)).id,
    }),
  );
  return [...tops, ...children];
}

const pathOf = ([top, leaf]: Row["categoryPath"]): string => `${slugOf(top)}/${slugOf(leaf)}`;

function found(categories: readonly SourceCategory[], path: string): SourceCategory {
  const category = categories.find((each) => each.path === path);
  if (category === undefined) throw new Error(`no category ${path}`);
  return category;
}

/** `soup and salad` → `Soup and Salad`. */
export function titleOf(name: string): string {
  const spaced = name === "homedecor" ? "home decor" : name;
  return spaced.replace(/\b(?!and\b)[a-z]/g, (letter) => letter.toUpperCase());
}
