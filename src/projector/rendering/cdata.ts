const marks = /<!\[CDATA\[|\]\]>/gi;

/**
 * Removes the wrapping of CDATA sections and keeps what is in them, because exports wrap whole descriptions and an HTML
 * parser drops such a section as a comment. A `]]>` that ends no section is text.
 * @param html unsanitised; what a section holds is sanitised with the rest
 */
export const withoutCdata = (html: string): string => {
  if (!html.includes("<![")) return html;
  let depth = 0;
  return html.replace(marks, (mark) => {
    if (mark !== "]]>") depth += 1;
    else if (depth === 0) return mark;
    else depth -= 1;
    return "";
  });
};
