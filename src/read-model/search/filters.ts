import type { ProductFilters } from "../reader/reader.ts";
import type { IdentifierMember } from "../schema/documents.ts";
import { pastEveryId, tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import { millionths } from "./doc-values.ts";
import { eachFactRun, everyFactRun } from "./doc-values-scan.ts";
import { brandList, stockList } from "./postings/list-keys.ts";
import { present } from "./postings/posting-codec.ts";
import { openList } from "./postings/posting-list.ts";
import { anyOf, idSource, listSource, noSource, type Source } from "./postings/posting-source.ts";
import { productsAt } from "./products-by-url.ts";
import type { SearchMoment } from "./term-query.ts";
import { identifierOf } from "./text/tokenizer.ts";

/** Builds a posting source for each filter, to be intersected with the sources of the query terms. */
export const filterSources = (
  context: SearchMoment,
  filters: ProductFilters,
): readonly Source[] => {
  const { stored } = context;
  const { inStockOnly, categoryId, brand, ids, reference, gtin, url } = filters;
  const { priceMin, priceMax } = filters;
  return [
    ...(inStockOnly ? [openListSource(context, stockList)] : []),
    ...(categoryId === undefined ? [] : [categorySource(context, categoryId)]),
    ...(brand === undefined ? [] : [openListSource(context, brandList(brand))]),
    ...(ids ? [byIds(stored, ids)] : []),
    ...(reference === undefined ? [] : [byIdentifier(stored, "reference", reference)]),
    ...(gtin === undefined ? [] : [byIdentifier(stored, "gtin", gtin)]),
    ...(url === undefined ? [] : [byIds(stored, productsAt(stored, url))]),
    ...(priceMin === undefined && priceMax === undefined
      ? []
      : [priceSource(stored, priceMin, priceMax)]),
  ];
};

const openListSource = ({ stored, kept: listCache }: SearchMoment, key: string): Source => {
  const list = openList(stored, listCache, key);
  return list ? listSource(list) : noSource;
};

/** Matches the products of a category and its descendants. */
const categorySource = (context: SearchMoment, categoryId: number): Source =>
  anyOf(
    [...subtree(context, categoryId)].flatMap((id) => {
      const list = context.inCategory(id);
      return list ? [listSource(list)] : [];
    }),
  );

const subtree = ({ parents }: SearchMoment, root: number): ReadonlySet<number> => {
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
export const parentsIn = (stored: Tables): ReadonlyMap<number, number | null> =>
  new Map(
    (stored.get(tables.categoryOrder, "order") ?? []).map((id) => [
      id,
      stored.get(tables.categories, id)?.parentId ?? null,
    ]),
  );

const byIds = (stored: Tables, ids: readonly number[]): Source => {
  const visibleIds = [...new Set(ids)].filter((id) => id > 0 && stored.has(tables.products, id));
  return idSource(visibleIds.sort((a, b) => a - b));
};

const byIdentifier = (stored: Tables, member: IdentifierMember, text: string): Source => {
  const normalised = identifierOf(text);
  // Rows of earlier model versions do not name the identifier's member; such a model answers until it is rebuilt.
  const isMember = (id: number): boolean =>
    normalised === identifierOf(stored.get(tables.products, id)?.[member] ?? "");
  const rows = readIdentifierRows(stored, normalised).filter(([, id, storedMember]) =>
    storedMember === undefined ? isMember(id) : storedMember === member,
  );
  return idSource(rows.map(([, id]) => id));
};

/**
 * Finds products by a normalised reference or GTIN.
 * @returns ascending ids
 */
export const withIdentifier = (stored: Tables, identifier: string): readonly number[] => [
  ...new Set(readIdentifierRows(stored, identifier).map(([, id]) => id)),
];

const readIdentifierRows = (stored: Tables, identifier: string) =>
  identifier === ""
    ? []
    : [
        ...stored.keys(tables.identifiers, {
          start: [identifier],
          end: [identifier, pastEveryId],
        }),
      ];

/**
 * Matches products in a price range, both ends included. Its count is infinite, so that it is read after all other
 * sources, because it tests each product.
 */
const priceSource = (
  stored: Tables,
  priceMin: string | undefined,
  priceMax: string | undefined,
): Source => {
  const min = priceMin === undefined ? 0 : millionths(priceMin);
  const max = priceMax === undefined ? Number.POSITIVE_INFINITY : millionths(priceMax);
  const isWithin = (price: number): boolean => price >= min && price <= max;
  return {
    count: Number.POSITIVE_INFINITY,
    all() {
      const ids: number[] = [];
      everyFactRun(stored, (block) => {
        const prices = block.prices();
        for (let row = 0; row < prices.length; row += 1) {
          if (isWithin(prices[row] as number)) ids.push(block.ids[row] as number);
        }
      });
      return idSource(ids).all();
    },
    at(ids) {
      const payloads = new Uint16Array(ids.length);
      eachFactRun(stored, ids, (block, { rows, places: idIndexes }) => {
        const prices = block.prices();
        for (let at = 0; at < rows.length; at += 1) {
          if (isWithin(prices[rows[at] as number] as number))
            payloads[idIndexes[at] as number] = present;
        }
      });
      return payloads;
    },
  };
};

/** Reads the ids of all visible products, ascending. */
export const everyId = (stored: Tables): readonly number[] => {
  const ids: number[] = [];
  everyFactRun(stored, (block) => {
    for (const id of block.ids) ids.push(id);
  });
  return ids;
};
