/**
 * Characters that stand for the delimiters of Markdown until the text around them is complete. The HTML has no control
 * characters, so that no text contains one of them.
 */
export const delimiterCharacters = {
  strong: "\u0001",
  em: "\u0002",
  del: "\u0003",
  address: "\u0004",
  /** Precedes a link. */
  link: "\u0005",
} as const;
