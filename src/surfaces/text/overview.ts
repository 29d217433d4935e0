import type { Snapshot } from "../../read-model/reader/reader.ts";
import { section } from "../../text/markdown/blocks.ts";
import { autolink, escapeInline } from "../../text/markdown/escape.ts";
import { formatPrice, formatRange } from "../format.ts";
import { createPage, joinPage, type Page, type PageLocation } from "../markdown/document.ts";
import { hidesPrices, readShopInfo, type ShopInfo } from "../shop-info.ts";
import type { Site } from "../site.ts";
import {
  categoryLinks,
  fileList,
  interfaceLinks,
  llmsLink,
  policyLinks,
  sitemapLink,
} from "./links.ts";

/** Renders the home page as Markdown (Specification §4.4), the store overview. */
export const overview = (snapshot: Snapshot, site: Site): Page =>
  createPage(
    {
      ...homeLocation(snapshot, site.baseUrl),
      lastModified: snapshot.changedAt("settings", "catalogue", "policies", "carriers"),
    },
    renderOverview(snapshot, site),
    (markdown) => markdown,
  );

const renderOverview = (snapshot: Snapshot, site: Site): string => {
  const { baseUrl } = site;
  const shop = readShopInfo(snapshot, baseUrl);
  const description = snapshot.shop()?.description;
  return joinPage(
    `# ${escapeInline(shop.name)}`,
    description && `> ${escapeInline(description)}`,
    formatMetadata(snapshot, shop),
    section("Categories", fileList(categoryLinks(snapshot, baseUrl))),
    section("Shipping", formatShipping(snapshot)),
    section("Policies", fileList(policyLinks(snapshot.policies(), baseUrl))),
    section(
      "Interfaces",
      fileList([...interfaceLinks(site), llmsLink(baseUrl), sitemapLink(baseUrl)]),
    ),
  );
};

/** Builds the URLs of the home page. Without the shop's settings, the service's URL is the canonical one. */
export const homeLocation = (snapshot: Snapshot, baseUrl: string): PageLocation => ({
  canonical: snapshot.shop()?.url ?? baseUrl,
  address: `${baseUrl}/index.md`,
});

const formatMetadata = (snapshot: Snapshot, shop: ShopInfo): string => {
  const settings = snapshot.shop();
  const free = hidesPrices(snapshot) ? null : settings?.freeShippingThreshold;
  return [
    `- Shop: ${autolink(shop.url)}`,
    `- Language: ${shop.language}`,
    `- Currency: ${shop.currency}`,
    `- Products: ${shop.productCount}`,
    `- Categories with products: ${shop.categoryCount}`,
    ...(free ? [`- Free shipping from: ${formatPrice(free)}`] : []),
    ...(settings?.contact?.email ? [`- E-mail: ${escapeInline(settings.contact.email)}`] : []),
    ...(settings?.contact?.url ? [`- Contact: ${autolink(settings.contact.url)}`] : []),
  ].join("\n");
};

/**
 * Formats carriers, price ranges and delivery times, which are public (Specification §5). Only the checkout gives a
 * binding quote.
 */
const formatShipping = (snapshot: Snapshot): string => {
  const hidden = hidesPrices(snapshot);
  return snapshot
    .carriers()
    .map(({ name, countries, price, deliveryDays }) => {
      const cost = hidden ? "" : `${formatRange(price.min, price.max, "–")} ${price.currency}, `;
      const days = `${deliveryDays.min}–${deliveryDays.max} days`;
      const destinations = countries.includes("*") ? "any country" : countries.join(", ");
      return `- ${escapeInline(name)}: ${cost}${days}; to ${destinations}`;
    })
    .join("\n");
};
