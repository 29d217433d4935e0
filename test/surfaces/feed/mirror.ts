import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import type { Reader, Snapshot } from "../../../src/read-model/reader/reader.ts";
import type { LineKind } from "../../../src/read-model/schema/lines.ts";
import type { Store } from "../../../src/read-model/store/store.ts";
import { toPriceRecord, toStockRecord } from "../../../src/surfaces/feed/goods-records.ts";
import { type ChangesPage, pageLimits, readPage } from "../../../src/surfaces/feed/page.ts";
import type { ChangesRequest } from "../../../src/surfaces/feed/request.ts";

/** What a follower holds: the record of each line, by kind and id. */
export type Lines = ReadonlyMap<string, unknown>;

/** A follower of the feed: it applies pages to its copy of the shop. */
export interface Mirror {
  readonly lines: Map<string, unknown>;
  next: ChangesRequest;
  /** Number of changes that it was sent. */
  changeCount: number;
  readonly limits: typeof pageLimits;
}

export const openMirror = (
  kinds?: ReadonlySet<LineKind>,
  limits: Partial<typeof pageLimits> = {},
): Mirror => ({
  limits: { ...pageLimits, ...limits },
  lines: new Map(),
  next: { since: { sequence: 0, instant: 0 }, kinds, walk: undefined },
  changeCount: 0,
});

/** Opens a reader with a clock of the test. */
export const readerAt = (store: Store, now: () => number): Reader =>
  openReader(store, [], undefined, now);

/** Asks for one page, and applies it. @returns undefined before the first event */
export const ask = (mirror: Mirror, reader: Reader): ChangesPage | undefined => {
  const page = reader.snapshot((snapshot, check) =>
    check?.position ? readPage(snapshot, check.position, mirror.next, mirror.limits) : undefined,
  );
  for (const change of page?.changes ?? []) apply(mirror, JSON.parse(change));
  mirror.next = page?.next ?? mirror.next;
  return page;
};

const apply = (
  mirror: Mirror,
  { kind, id, op, record }: { kind: string; id: string; op: string; record?: unknown },
): void => {
  mirror.changeCount += 1;
  if (op === "remove") mirror.lines.delete(`${kind}/${id}`);
  else mirror.lines.set(`${kind}/${id}`, record);
};

/** Asks until a page may be claimed. @returns its position */
export const follow = (mirror: Mirror, reader: Reader): string => {
  for (let pages = 0; pages < 1_000; pages += 1) {
    const position = ask(mirror, reader)?.position;
    if (position) return position;
  }
  throw new Error("no page can be claimed");
};

export const sorted = (lines: Lines): unknown => [...lines].sort(([a], [b]) => (a < b ? -1 : 1));

/** The price and the stock that a copy has of a product or variant. */
export const offerIn = (lines: Lines, product: number, variant?: number): unknown => {
  const ids = variant === undefined ? [product] : [`${product}.${variant}`, product];
  const find = (kind: string) => ids.map((id) => lines.get(`${kind}/${id}`)).find(Boolean);
  return toComparable(find("price"), find("stock"));
};

/** The range is that of a product alone. */
const toComparable = (price: unknown, stock: unknown): unknown => {
  const { price_range: _, ...rest } = { ...(price as object | undefined) } as Record<
    string,
    unknown
  >;
  return JSON.parse(JSON.stringify({ price: rest, stock }));
};

/** Prices and stocks as the surfaces show them, by id of a line. */
export const offersOf = (snapshot: Snapshot): ReadonlyMap<string, readonly [number, number?]> => {
  const ids = new Map<string, readonly [number, number?]>();
  for (const { id, variants } of snapshot.products({ first: 100 })?.products ?? []) {
    ids.set(`${id}`, [id]);
    for (const variant of variants?.ids ?? []) ids.set(`${id}.${variant}`, [id, variant]);
  }
  return ids;
};

export const offerOf = (snapshot: Snapshot, product: number, variant?: number): unknown => {
  const shown = snapshot.product(product);
  const goods = variant === undefined ? shown : shown?.variants?.find(variant);
  return goods && toComparable(toPriceRecord(goods.offer), toStockRecord(goods.offer));
};
