import { joinBlocks } from "../../text/markdown/blocks.ts";

/** URLs of a page. */
export interface PageLocation {
  /** URL of the page at the shop. */
  readonly canonical: string;
  /** URL of the page's Markdown at this service. */
  readonly address: string;
}

/** A page as Markdown, with the data for its HTTP headers. */
export interface RenderedPage extends PageLocation {
  readonly markdown: string;
  /** ISO 8601: time of the newest event that changed the page's data. */
  readonly lastModified: string | undefined;
}

/** Joins the non-empty blocks of a page, and ends with one line break. */
export const joinPage = (...parts: readonly (string | null | undefined)[]): string =>
  `${joinBlocks(...parts)}\n`;

/** Selects the latest of ISO 8601 times, which compare as text. */
export const latestTime = (...times: readonly (string | undefined)[]): string | undefined =>
  times.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined);
