/** Where a page is. */
export interface PageLocation {
  /** The page at the shop. */
  readonly canonical: string;
  /** Its Markdown at an address of its own. */
  readonly address: string;
}

/** A page as Markdown, and what HTTP says of it. */
export interface Rendered extends PageLocation {
  readonly markdown: string;
  /** ISO 8601: the newest event that changed what the page is about. */
  readonly lastModified: string | undefined;
}

/** Blocks to a page: one blank line between, one line break at the end. Blocks that are empty are left out. */
export const blocks = (...parts: readonly (string | null | undefined)[]): string =>
  `${parts.filter(Boolean).join("\n\n")}\n`;

/** A section with its heading; nothing when it has no content. */
export const section = (heading: string, content: string | null | undefined): string | undefined =>
  content ? `## ${heading}\n\n${content}` : undefined;

/** ISO 8601 times compare as text. */
export const newest = (...times: readonly (string | undefined)[]): string | undefined =>
  times.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined);

/** A number of things in words, as in `1 product` and `2 products`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
