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

/** What a filter lets through, as sources beside those of the words. */
export const filterSources = (moment: SearchMoment, asked: ProductFilters): readonly Source[] => {
  const { stored } = moment;
  const { inStockOnly, categoryId, brand, ids, reference, gtin, url } = asked;
  const { priceMin, priceMax } = asked;
  return [
    ...(inStockOnly ? [namedSource(moment, stockList)] : []),
    ...(categoryId === undefined ? [] : [categorySource(moment, categoryId)]),
    ...(brand === undefined ? [] : [namedSource(moment, brandList(brand))]),
    ...(ids ? [visible(stored, ids)] : []),
    ...(reference === undefined ? [] : [identified(stored, "reference", reference)]),
    ...(gtin === undefined ? [] : [identified(stored, "gtin", gtin)]),
    ...(url === undefined ? [] : [visible(stored, productsAt(stored, url))]),
    ...(priceMin === undefined && priceMax === undefined
      ? []
      : [priceSource(stored, priceMin, priceMax)]),
  ];
};

const namedSource = ({ stored, kept }: SearchMoment, name: string): Source => {
  const list = openList(stored, kept, name);
  return list ? listSource(list) : noSource;
};

/** The category and all below it. */
const categorySource = (moment: SearchMoment, categoryId: number): Source =>
  anyOf(
    [...subtree(moment, categoryId)].flatMap((id) => {
      const list = moment.inCategory(id);
      return list ? [listSource(list)] : [];
    }),
  );

const subtree = ({ parents }: SearchMoment, root: number): ReadonlySet<number> => {
  const inside = new Set<number>();
  for (const [id, parent] of parents()) {
    if (id === root || (parent !== null && inside.has(parent))) inside.add(id);
  }
  return inside;
};

/** Each category with the one above it. Parents stand before their children, so that one pass finds what is below one. */
export const parentsIn = (stored: Tables): ReadonlyMap<number, number | null> =>
  new Map(
    (stored.get(tables.categoryOrder, "order") ?? []).map((id) => [
      id,
      stored.get(tables.categories, id)?.parentId ?? null,
    ]),
  );

const visible = (stored: Tables, ids: readonly number[]): Source => {
  const known = [...new Set(ids)].filter((id) => id > 0 && stored.has(tables.products, id));
  return idSource(known.sort((a, b) => a - b));
};

const identified = (stored: Tables, member: IdentifierMember, text: string): Source => {
  const asked = identifierOf(text);
  // Models of earlier versions, which answer until they are made anew, do not say which of the two it is.
  const isMember = (id: number): boolean =>
    asked === identifierOf(stored.get(tables.products, id)?.[member] ?? "");
  const found = identifiedIn(stored, asked).filter(([, id, said]) =>
    said === undefined ? isMember(id) : said === member,
  );
  return idSource(found.map(([, id]) => id));
};

/** Products whose reference or GTIN this is, without separators and case: ascending. */
export const withIdentifier = (stored: Tables, identifier: string): readonly number[] => [
  ...new Set(identifiedIn(stored, identifier).map(([, id]) => id)),
];

const identifiedIn = (stored: Tables, identifier: string) =>
  identifier === ""
    ? []
    : [
        ...stored.keys(tables.identifiers, {
          start: [identifier],
          end: [identifier, pastEveryId],
        }),
      ];

/** Products by their price, both ends included. It comes after all other sources: it has to look at each product. */
const priceSource = (
  stored: Tables,
  priceMin: string | undefined,
  priceMax: string | undefined,
): Source => {
  const least = priceMin === undefined ? 0 : millionths(priceMin);
  const most = priceMax === undefined ? Number.POSITIVE_INFINITY : millionths(priceMax);
  const isWithin = (price: number): boolean => price >= least && price <= most;
  return {
    count: Number.POSITIVE_INFINITY,
    all() {
      const ids: number[] = [];
      everyFactRun(stored, (run) => {
        const prices = run.prices();
        for (let row = 0; row < prices.length; row += 1) {
          if (isWithin(prices[row] as number)) ids.push(run.ids[row] as number);
        }
      });
      return idSource(ids).all();
    },
    at(ids) {
      const found = new Uint16Array(ids.length);
      eachFactRun(stored, ids, (run, { rows, places }) => {
        const prices = run.prices();
        for (let at = 0; at < rows.length; at += 1) {
          if (isWithin(prices[rows[at] as number] as number)) found[places[at] as number] = present;
        }
      });
      return found;
    },
  };
};

/** Every visible product. */
export const everyId = (stored: Tables): readonly number[] => {
  const ids: number[] = [];
  everyFactRun(stored, (run) => {
    for (const id of run.ids) ids.push(id);
  });
  return ids;
};
