import type { DecodedEvent, EventType, ShopEvent } from "../src/events/event.ts";
import type { Table, TableName, tables } from "../src/read-model/schema/tables.ts";

/** Tables that events are folded into. Every other table of a model is derived from them. */
export const entityTables = [
  "settings",
  "robots",
  "categoryStates",
  "pages",
  "carriers",
  "productCores",
  "prices",
  "productTexts",
  "productPages",
  "variantLists",
  "variantStates",
  "stocks",
  "agents",
] as const satisfies readonly TableName[];
export type EntityTable = (typeof entityTables)[number];

type TypeOf<T extends EntityTable> = (typeof tables)[T];
export type KeyOf<T extends EntityTable> =
  TypeOf<T> extends Table<infer K extends string | number, infer _> ? K : never;
export type RowOf<T extends EntityTable> = TypeOf<T> extends Table<infer _, infer R> ? R : never;

export type EvolveResult<R> =
  | { readonly outcome: "applied"; readonly row: R }
  /** The event is older than the stored version: it is counted, and the row stays. */
  | { readonly outcome: "stale" }
  /** The event that wrote the row was delivered again. */
  | { readonly outcome: "repeated" }
  | EvolveRejection;

interface EvolveRejection {
  readonly outcome: "refused";
  readonly reason: string;
  readonly field: string;
}

/** A row whose rendered fields are still empty, with the HTML to render into it. */
export interface Unrendered<R> {
  readonly row: R;
  /** Undefined when the rendered fields stay as they are; null when there is no HTML. */
  readonly html: string | null | undefined;
}

export interface TextCleaner {
  /** Hashes HTML, so that a row can detect a change without storing it. */
  hashHtml(html: string): string;
  /** Removes invisible characters from a name or another short text. */
  cleanText(text: string): string;
}

/**
 * Renders HTML to text and Markdown. The projector calls it when it writes a row, once for all events of one batch about
 * the row.
 */
export interface HtmlRenderer extends TextCleaner {
  toPlainText(html: string): string | null;
  markdown(html: string): string;
  /**
   * Extracts the first paragraph as plain text.
   * @returns null when there is none
   */
  summary(html: string): string | null;
}

/** HTML to render into a row, with the event that holds it. */
export interface HtmlSource {
  readonly html: string;
  readonly event: ShopEvent;
}

export interface Rows<K, R> {
  get(key: K): R | undefined;
  put(key: K, row: R): void;
  /** Removes the row and its HTML. */
  remove(key: K): void;
}

/** Rows with fields that are rendered when the row is written. */
export interface RenderedRows<K, R> extends Rows<K, R> {
  /** Sets the HTML to render into the row; null when there is none. */
  setHtml(key: K, source: HtmlSource | null): void;
}

/** Tables whose rows have fields that are rendered from HTML. */
export type RenderedTable = "categoryStates" | "pages" | "productTexts";

export type EntityRows = { readonly [T in EntityTable]: Rows<KeyOf<T>, RowOf<T>> } & {
  readonly [T in RenderedTable]: RenderedRows<KeyOf<T>, RowOf<T>>;
};

export type EventOutcome = { readonly outcome: "applied" | "stale" | "repeated" } | EvolveRejection;

export type ApplyEvent<T extends EventType> = (
  rows: EntityRows,
  event: DecodedEvent<T>,
  text: TextCleaner,
) => EventOutcome;
