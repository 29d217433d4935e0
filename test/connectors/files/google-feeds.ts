/** Builders of product data for Google. */

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const defaults = {
  id: "M1",
  title: "Mug",
  link: "https://shop.example/mug",
  price: "15.00 EUR",
};

/** Builds an item of RSS; an undefined attribute is left out. */
export const itemOf = (
  attributes: Readonly<Record<string, string | undefined>>,
  extra = "",
): string => {
  const elements = Object.entries({ ...defaults, ...attributes }).map(([name, text]) =>
    text === undefined ? "" : `<g:${name}>${escapeXml(text)}</g:${name}>`,
  );
  return `<item>${elements.join("")}${extra}</item>`;
};

/** Builds a file of RSS whose first item is in line 3. */
export const feed = (...items: readonly string[]): string =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel><title>Shop</title><link>https://shop.example</link>
${items.join("\n")}
</channel>
</rss>
`;

export const atom = (prefix: string, entries: string): string =>
  `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:${prefix}="http://base.google.com/ns/1.0">
<title>Shop</title><link rel="self" href="https://shop.example/feed"/>
${entries}
</feed>`;
