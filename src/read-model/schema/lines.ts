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

/** The last change of a line. */
export interface LineRow {
  /** Log sequence of the event. */
  readonly at: number;
  /** Set when no surface shows the line any more. */
  readonly removed?: true;
}

/** Lines that one batch changed. */
export interface LineChanges {
  /** Log sequence of the last event of the batch. */
  readonly to: number;
  /** Keys of the lines; null when there are too many to list. */
  readonly lines: readonly string[] | null;
}

/** Which lines are told (Contract §11). */
export interface ChangesQuery {
  /** Log sequence after which lines changed; 0 for all lines that are shown. */
  readonly since: number;
  /** Instant after which prices and stocks changed without an event, milliseconds since 1970. */
  readonly instant: number;
  readonly kinds: ReadonlySet<LineKind>;
  /** Key of a line after which a walk goes on. */
  readonly after?: string | undefined;
  /** Keys that are read at most. */
  readonly maxKeys: number;
}

/** A line that changed. */
export interface ChangedLine {
  readonly key: string;
  readonly line: Line;
  /** Whether surfaces show the line no more. */
  readonly isRemoved: boolean;
}

/** Number of batches whose changed lines are stored. */
export const lineChangesLength = 4_096;

/** Above this, the changed lines of a batch are not listed. */
export const maxListedLines = 2_000;

export const lineKey = (kind: LineKind, id: string | number): string => `${kind}/${id}`;

export const parseLineKey = (key: string): Line => {
  const slash = key.indexOf("/");
  const name = key.slice(0, slash);
  const kind = lineKinds.find((each) => each === name);
  if (kind === undefined) throw new Error(`${key} is no key of a line`);
  return { kind, id: key.slice(slash + 1) };
};

/** Whether a text of a client may be the key of a line. LMDB refuses long keys, also in lookups. */
export const isLineKey = (text: string): boolean =>
  /^[a-z]+\/[\w./-]{1,200}$/.test(text) && lineKinds.some((kind) => text.startsWith(`${kind}/`));

/** The id of a line of a variant: `1300.2`. */
export const variantLineId = (product: number, variant: number): string => `${product}.${variant}`;

/** The range of the keys of one kind. `0` is the character after the slash. */
export const lineKeysOf = (kind: LineKind): { readonly start: string; readonly end: string } => ({
  start: `${kind}/`,
  end: `${kind}0`,
});
