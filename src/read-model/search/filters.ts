import type { IdentifierMember } from "../schema/documents.ts";
import type { ProductFilters } from "../schema/queries.ts";
import { idUpperBound, tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import { toMicroUnits } from "./doc-values.ts";
import { forEachBlock, scanAllBlocks } from "./doc-values-scan.ts";
import { brandKey, inStockKey } from "./postings/list-keys.ts";
import { presencePayload } from "./postings/posting-codec.ts";
import { openPostingList } from "./postings/posting-list.ts";
import {
  emptySource,
  idSource,
  listSource,
  type PostingSource,
} from "./postings/posting-source.ts";
import { unionSources } from "./postings/source-union.ts";
import { findProductsByUrl } from "./products-by-url.ts";
import type { SearchContext } from "./term-query.ts";
import { normaliseIdentifier } from "./text/tokenizer.ts";

/** Builds a posting source for each filter, to be intersected with the sources of the query terms. */
export const buildFilterSources = (
  context: SearchContext,
  filters: ProductFilters,
): readonly PostingSource[] => {
  const { stored } = context;
  const { inStockOnly, categoryId, brand, ids, reference, gtin, url } = filters;
  const { priceMin, priceMax } = filters;
  return [
    ...(inStockOnly ? [openListSource(context, inStockKey)] : []),
    ...(categoryId === undefined ? [] : [categorySource(context, categoryId)]),
    ...(brand === undefined ? [] : [openListSource(context, brandKey(brand))]),
    ...(ids ? [byIds(stored, ids)] : []),
    ...(reference === undefined ? [] : [byIdentifier(stored, "reference", reference)]),
    ...(gtin === undefined ? [] : [byIdentifier(stored, "gtin", gtin)]),
    ...(url === undefined ? [] : [byIds(stored, findProductsByUrl(stored, url))]),
    ...(priceMin === undefined && priceMax === undefined
      ? []
      : [priceSource(stored, priceMin, priceMax)]),
  ];
};

const openListSource = ({ stored, listCache }: SearchContext, key: string): PostingSource => {
  const list = openPostingList(stored, listCache, key);
  return list ? listSource(list) : emptySource;
};

/** Matches the products of a category and its descendants. */
const categorySource = (context: SearchContext, categoryId: number): PostingSource =>
  unionSources(
    [...subtree(context, categoryId)].flatMap((id) => {
      const list = context.openCategoryList(id);
      return list ? [listSource(list)] : [];
    }),
  );

const subtree = ({ parents }: SearchContext, root: number): ReadonlySet<number> => {
  const descendants = new Set<number>();
  for (const [id, parent] of parents()) {
    if (id === root || (parent !== null && descendants.has(parent))) descendants.add(id);
  }
  return descendants;
};

/**
 * Maps each category to its parent. Invariant: parents precede their children, so that one pass finds all
 * descendants.
 */
export const readCategoryParents = (stored: ReadTables): ReadonlyMap<number, number | null> =>
  new Map(
    (stored.get(tables.categoryOrder, "order") ?? []).map((id) => [
      id,
      stored.get(tables.categories, id)?.parentId ?? null,
    ]),
  );

const byIds = (stored: ReadTables, ids: readonly number[]): PostingSource => {
  const visibleIds = [...new Set(ids)].filter((id) => id > 0 && stored.has(tables.products, id));
  return idSource(visibleIds.sort((a, b) => a - b));
};

const byIdentifier = (
  stored: ReadTables,
  member: IdentifierMember,
  text: string,
): PostingSource => {
  const normalised = normaliseIdentifier(text);
  // Rows of earlier model versions do not name the identifier's member; such a model answers until it is rebuilt.
  const isMember = (id: number): boolean =>
    normalised === normaliseIdentifier(stored.get(tables.products, id)?.[member] ?? "");
  const rows = readIdentifierRows(stored, normalised).filter(([, id, storedMember]) =>
    storedMember === undefined ? isMember(id) : storedMember === member,
  );
  return idSource(rows.map(([, id]) => id));
};

/**
 * Finds products by a normalised reference or GTIN.
 * @returns ascending ids
 */
export const findByIdentifier = (stored: ReadTables, identifier: string): readonly number[] => [
  ...new Set(readIdentifierRows(stored, identifier).map(([, id]) => id)),
];

const readIdentifierRows = (stored: ReadTables, identifier: string) =>
  identifier === ""
    ? []
    : [
        ...stored.keys(tables.identifiers, {
          start: [identifier],
          end: [identifier, idUpperBound],
        }),
      ];

/**
 * Matches products in a price range, both ends included. Its count is infinite, so that it is read after all other
 * sources, because it tests each product.
 */
const priceSource = (
  stored: ReadTables,
  priceMin: string | undefined,
  priceMax: string | undefined,
): PostingSource => {
  const min = priceMin === undefined ? 0 : toMicroUnits(priceMin);
  const max = priceMax === undefined ? Number.POSITIVE_INFINITY : toMicroUnits(priceMax);
  const isWithin = (price: number): boolean => price >= min && price <= max;
  return {
    count: Number.POSITIVE_INFINITY,
    all() {
      const ids: number[] = [];
      scanAllBlocks(stored, (block) => {
        const prices = block.prices();
        for (let row = 0; row < prices.length; row += 1) {
          if (isWithin(prices[row] as number)) ids.push(block.ids[row] as number);
        }
      });
      return idSource(ids).all();
    },
    at(ids) {
      const payloads = new Uint16Array(ids.length);
      forEachBlock(stored, ids, (block, { rows, idIndexes }) => {
        const prices = block.prices();
        for (let at = 0; at < rows.length; at += 1) {
          if (isWithin(prices[rows[at] as number] as number))
            payloads[idIndexes[at] as number] = presencePayload;
        }
      });
      return payloads;
    },
  };
};

/** Reads the ids of all visible products, ascending. */
export const readAllProductIds = (stored: ReadTables): readonly number[] => {
  const ids: number[] = [];
  scanAllBlocks(stored, (block) => {
    for (const id of block.ids) ids.push(id);
  });
  return ids;
};
