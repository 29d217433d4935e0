/** Joins the non-empty blocks of a text with blank lines. */
export const joinBlocks = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter(Boolean).join("\n\n");

/** Formats a section with its heading. @returns undefined when it has no content */
export const section = (heading: string, content: string | null | undefined): string | undefined =>
  content ? `## ${heading}\n\n${content}` : undefined;
