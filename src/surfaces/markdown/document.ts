import { joinBlocks } from "../../text/markdown/blocks.ts";

export interface PageLocation {
  /** URL of the page at the shop. */
  readonly canonical: string;
  /** URL of the page's Markdown at this service. */
  readonly address: string;
}

/** A page of the shop that is read and not yet rendered, with the data for its HTTP headers. */
export interface Page extends PageLocation {
  /** ISO 8601: time of the newest event that changed the page's data. */
  readonly lastModified: string | undefined;
  /** Identifies the Markdown: equal versions give equal Markdown, so its ETag is computed without rendering it. */
  version(): string;
  markdown(): string;
}

/**
 * Creates a page whose version is the JSON of its source.
 * @param render must depend on the source only
 */
export const createPage = <S>(
  head: Omit<Page, "version" | "markdown">,
  source: S,
  render: (source: S) => string,
): Page => ({ version: () => JSON.stringify(source), markdown: () => render(source), ...head });

/** Joins the non-empty blocks of a page, and ends with one line break. */
export const joinPage = (...parts: readonly (string | null | undefined)[]): string =>
  `${joinBlocks(...parts)}\n`;

/** Selects the latest of ISO 8601 times, which compare as text. */
export const latestTime = (...times: readonly (string | undefined)[]): string | undefined =>
  times.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined);
