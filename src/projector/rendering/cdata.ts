const delimiter = /<!\[CDATA\[|\]\]>/gi;

/**
 * Removes the delimiters of CDATA sections and keeps their content.
 * Shop exports wrap complete descriptions in CDATA, and an HTML parser would drop such a section as a comment. A `]]>`
 * that ends no section stays as text.
 * @param html unsanitised; the content of sections is sanitised with the rest
 */
export const unwrapCdata = (html: string): string => {
  if (!html.includes("<![")) return html;
  let depth = 0;
  return html.replace(delimiter, (match) => {
    if (match !== "]]>") depth += 1;
    else if (depth === 0) return match;
    else depth -= 1;
    return "";
  });
};
