import { memoizeLast } from "../../../platform/memo.ts";
import type { Line, LineKind } from "../../schema/lines.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";

/** Products whose prices or stocks changed without an event, between two instants. */
export interface Edges {
  /** Undefined when there are too many to list. */
  readonly products: ReadonlySet<number> | undefined;
  /** Whether a line is one of these prices and stocks. */
  concern(line: Line): boolean;
}

/** Above this, the products are not listed: reading the offer of each line takes less. */
const maxProducts = 300;

const noEdges: Edges = { products: new Set(), concern: () => false };

/** @param from and `until` in milliseconds since 1970; changes at `from` are not among them, those at `until` are */
export const findEdges = (
  stored: ReadTables,
  kinds: ReadonlySet<LineKind>,
  from: number,
  until: number,
): Edges => {
  if (!kinds.has("price") && !kinds.has("stock")) return noEdges;
  const products = listProducts(stored, from, until);
  const hasEdge = memoizeLast((product: number) => readsEdge(stored, product, from, until));
  return {
    products,
    concern({ kind, id }) {
      if (kind !== "price" && kind !== "stock") return false;
      const product = Number.parseInt(id, 10);
      return products ? products.has(product) : hasEdge(product);
    },
  };
};

const listProducts = (
  stored: ReadTables,
  from: number,
  until: number,
): ReadonlySet<number> | undefined => {
  const products = new Set<number>();
  for (const [, id] of stored.keys(tables.offerChanges, { start: [from + 1], end: [until + 1] })) {
    products.add(id);
    if (products.size > maxProducts) return undefined;
  }
  return products;
};

const readsEdge = (stored: ReadTables, product: number, from: number, until: number): boolean => {
  const { changesAt = [], dateChangesAt = [] } = stored.get(tables.offers, product)?.changes ?? {};
  return [...changesAt, ...dateChangesAt].some((at) => at > from && at <= until);
};
