/**
 * The shop's robots.txt as it stands, with the agent sitemap named where it names none (RFC 9309, sitemaps.org).
 * A shop that told none allows everything.
 */
export const robotsTxt = (told: string | undefined, baseUrl: string): string => {
  const text = (told ?? everyone).replace(/(?<![\r\n])$/, "\n");
  return namesSitemap.test(text) ? text : `${text}\nSitemap: ${baseUrl}/agent-sitemap.xml\n`;
};

const everyone = "User-agent: *\nAllow: /\n";

const namesSitemap = /^[ \t]*sitemap[ \t]*:[ \t]*\S/im;
