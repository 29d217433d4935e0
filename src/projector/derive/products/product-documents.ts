import { deepEqual } from "../../../platform/deep-equal.ts";
import type { Key } from "../../../read-model/schema/codec.ts";
import type { OfferRow, VariantsRow } from "../../../read-model/schema/documents.ts";
import { pathKeyOfUrl } from "../../../read-model/schema/keys.ts";
import { type PageRecord, type Table, tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import { parseUrl } from "../../../text/parse-url.ts";
import type { Counters } from "../derivation.ts";
import { countPage } from "../page-index.ts";
import { type Change, putOrRemove, replaceKeys, setMember } from "../set-diff.ts";
import type { VisibleProduct } from "./visible-product.ts";

/** Stores what a batch changed of a product, and counts it; undefined while the product is not visible. */
export const updateDocuments = (
  stored: WritableTables,
  counters: Counters,
  id: number,
  [before, after]: Change<VisibleProduct>,
): void => {
  replaceRow(stored, tables.products, id, [before?.text, after?.text]);
  replaceRow(stored, tables.offers, id, [before?.offer, after?.offer]);
  replaceRow(stored, tables.variants, id, [before?.variants, after?.variants]);
  counters.add("products", Number(after !== undefined) - Number(before !== undefined));
  const isNow = isOrderable(after);
  if (isOrderable(before) !== isNow)
    counters.add("inStock", setMember(stored, tables.inStock, id, isNow));
  replaceKeys(stored, tables.offerChanges, [before, after], (each) =>
    listOfferChanges(id, each?.offer),
  );
  countPage(counters, "product", id, [toPageRecord(before), toPageRecord(after)]);
};

export const isOrderable = (product: VisibleProduct | undefined): boolean =>
  product?.offer.stock.orderable ?? false;

/** Writes a row where it changed; undefined removes it. */
const replaceRow = <K extends Key, V>(
  stored: WritableTables,
  table: Table<K, V>,
  key: K,
  [before, after]: Change<V>,
): void => {
  if (before !== after && !deepEqual(before, after)) putOrRemove(stored, table, key, after);
};

const toPageRecord = (product: VisibleProduct | undefined): PageRecord | undefined =>
  product && {
    url: product.text.url,
    lastmod: new Date(Math.max(product.text.shownAt, product.offer.shownAt)).toISOString(),
    ...(product.offer.changes && {
      changesAt: listOfferChanges(product.text.id, product.offer).map(([instant]) => instant),
    }),
  };

/** Lists the instants at which the page of a product changes without an event, each once. */
const listOfferChanges = (
  id: number,
  offer: OfferRow | undefined,
): readonly (readonly [number, number])[] => {
  const { changesAt = [], dateChangesAt = [] } = offer?.changes ?? {};
  return [...new Set([...changesAt, ...dateChangesAt])].map((instant) => [instant, id]);
};

/**
 * Updates the addresses at which the page of a product is found: its own and those of its variants.
 * @returns whether they changed
 */
export const updateAddresses = (
  stored: WritableTables,
  id: number,
  change: Change<VisibleProduct>,
): boolean => {
  const [removed, added] = replaceKeys(stored, tables.addresses, change, (product) =>
    listPaths(product).map((path) => [path, "product", id] as const),
  );
  return removed.length + added.length > 0;
};

/** Lists the paths of a product and its variants, each once. */
const listPaths = (product: VisibleProduct | undefined): readonly string[] => {
  if (!product) return [];
  const { url } = product.text;
  const urls = [url, ...listUrls(product.variants)];
  const paths = urls.flatMap((each) => {
    const page = parseUrl(each, url);
    return page ? (pathKeyOfUrl(page.href) ?? []) : [];
  });
  return [...new Set(paths)];
};

const listUrls = (variants: VariantsRow | undefined): readonly string[] =>
  variants?.members.flatMap(({ url }) => url ?? []) ?? [];
