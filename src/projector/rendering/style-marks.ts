/** Attributes with which the sanitiser marks an element that its style strikes out, or shows as a block. */
export const styleAttributes = { struck: "data-struck", block: "data-block" } as const;

/** The attributes as the sanitiser writes them. Others cannot contain this text, because their quotes are escaped. */
export const [struckMark, blockMark] = [
  ` ${styleAttributes.struck}="yes"`,
  ` ${styleAttributes.block}="yes"`,
];

export const withoutStyleMarks = (tag: string): string =>
  tag.replace(struckMark, "").replace(blockMark, "");

/**
 * Reads a declaration of a style. The last of several declarations wins, as in CSS.
 * @param style value of a `style` attribute
 */
const readDeclaration = (style: string, name: RegExp): string =>
  style.split(";").findLast((declaration) => name.test(declaration)) ?? "";

export const isStruckOutByStyle = (style: string): boolean =>
  /line-through/i.test(readDeclaration(style, /^\s*text-decoration(?:-line)?\s*:/i));

export const isBlockByStyle = (style: string): boolean =>
  /:\s*(?:block|flex|grid|list-item|table|flow-root)\b(?!-)/i.test(
    readDeclaration(style, /^\s*display\s*:/i),
  );
