/** Lines of the change feed (Contract §11): what is public of one entity. */

/** Every kind of line, in the sequence of the contract. */
export const lineKinds = [
  ...(["shop", "category", "page", "carrier"] as const),
  ...(["product", "variant", "price", "stock"] as const),
] as const;
export type LineKind = (typeof lineKinds)[number];

export interface Line {
  readonly kind: LineKind;
  readonly id: string;
}

/**
 * The last changes of the lines of one entity, in the sequence of `kindsOf`: of each the log sequence of the event, negative for a line that
 * no surface shows any more, 0 for one that never was shown.
 */
export type LineRow = readonly number[];

/** Entities whose lines one batch changed. */
export interface LineChanges {
  /** Log sequence of the last event of the batch. */
  readonly to: number;
  /** Keys of their rows; null when there are too many to list. */
  readonly lines: readonly string[] | null;
}

/** Which lines are told (Contract §11). */
export interface ChangesQuery {
  /** Log sequence after which lines changed; 0 for all lines that are shown. */
  readonly since: number;
  /** Instant after which prices and stocks changed without an event, milliseconds since 1970. */
  readonly instant: number;
  readonly kinds: ReadonlySet<LineKind>;
  /** Key of a row after which a walk goes on. */
  readonly after?: string | undefined;
  /** Keys that are read at most. */
  readonly maxKeys: number;
}

/** Lines of one entity that changed: one at least. */
export interface ChangedLines {
  /** Key of their row. */
  readonly key: string;
  readonly lines: readonly ChangedLine[];
}

export interface ChangedLine {
  readonly line: Line;
  /** Whether surfaces show the line no more. */
  readonly isRemoved: boolean;
}

/** Number of batches whose changed lines are stored. */
export const lineChangesLength = 4_096;

/** Above this, the entities whose lines a batch changed are not listed. */
export const maxListedLines = 2_000;

/** Kinds of the lines of an entity, by the first part of its key. Variants follow their product. */
const kindsByPrefix = {
  shop: ["shop"],
  category: ["category"],
  page: ["page"],
  carrier: ["carrier"],
  product: ["product", "price", "stock"],
} as const satisfies Readonly<Record<string, readonly LineKind[]>>;
type Prefix = keyof typeof kindsByPrefix;

const variantKinds: readonly LineKind[] = ["variant", "price", "stock"];

/** First parts of the keys, as they are sorted. */
const prefixes = (Object.keys(kindsByPrefix) as Prefix[]).sort();

/** @param id of the lines: of a variant `variantLineId` */
export const lineKey = (prefix: Prefix, id: string | number): string => `${prefix}/${id}`;

/** The id of the lines of a variant: `1300.2`. */
export const variantLineId = (product: number, variant: number): string => `${product}.${variant}`;

/** Whether a text of a client may be the key of a row. LMDB refuses long keys, also in lookups. */
export const isLineKey = (text: string): boolean =>
  /^[a-z]+\/[\w./-]{1,200}$/.test(text) && prefixes.some((each) => text.startsWith(`${each}/`));

/** Returns the kinds of the lines of a row. */
export const kindsOf = (key: string): readonly LineKind[] => {
  const prefix = prefixes.find((each) => key.startsWith(`${each}/`));
  if (prefix === undefined) throw new Error(`${key} is no key of lines`);
  return prefix === "product" && key.includes(".") ? variantKinds : kindsByPrefix[prefix];
};

export const idOfKey = (key: string): string => key.slice(key.indexOf("/") + 1);

type KeyRange = { readonly start: string; readonly end: string };

/** The ranges of the keys of rows with lines of any of some kinds. `0` is the character after the slash. */
export const lineRangesOf = (kinds: ReadonlySet<LineKind>): readonly KeyRange[] =>
  prefixes
    .filter((prefix) =>
      [...kindsByPrefix[prefix], ...(prefix === "product" ? variantKinds : [])].some((kind) =>
        kinds.has(kind),
      ),
    )
    .map((prefix) => ({ start: `${prefix}/`, end: `${prefix}0` }));

/** The range of the keys of a product and its variants. Ids of variants go on with a dot; the slash is the character after it. */
export const lineKeysOfProduct = (product: number): KeyRange => {
  const start = lineKey("product", product);
  return { start, end: `${start}/` };
};
