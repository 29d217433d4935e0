/**
 * Renders robots.txt (RFC 9309): the shop's own text, plus the agent sitemap when the text names no sitemap
 * (sitemaps.org).
 * @param shopText undefined when the shop has none; then everything is allowed
 */
export const robotsTxt = (shopText: string | undefined, baseUrl: string): string => {
  const text = (shopText ?? allowAll).replace(/(?<![\r\n])$/, "\n");
  return namesSitemap.test(text) ? text : `${text}\nSitemap: ${baseUrl}/agent-sitemap.xml\n`;
};

const allowAll = "User-agent: *\nAllow: /\n";

const namesSitemap = /^[ \t]*sitemap[ \t]*:[ \t]*\S/im;
