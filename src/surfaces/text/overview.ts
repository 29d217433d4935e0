import type { Snapshot } from "../../read-model/reader/reader.ts";
import { shop as shopFacts } from "../graphql/resolvers/shop.ts";
import { blocks, type PageLocation, type Rendered, section } from "../markdown/document.ts";
import { autolink, inline } from "../markdown/escape.ts";
import { interfaces, sitemapOf } from "./interfaces.ts";
import { categoryFiles, fileList, policyFiles } from "./link-list.ts";

/** The home page as Markdown (§4.4): the store overview. */
export const overview = (moment: Snapshot, baseUrl: string): Rendered => {
  const shop = shopFacts(moment, baseUrl);
  const description = moment.shop()?.description;
  return {
    ...homeLocation(moment, baseUrl),
    lastModified: moment.changedAt("settings", "catalogue", "policies", "carriers"),
    markdown: blocks(
      `# ${inline(shop.name)}`,
      description && `> ${inline(description)}`,
      facts(moment, shop),
      section("Categories", fileList(categoryFiles(moment, baseUrl))),
      section("Shipping", shipping(moment)),
      section("Policies", fileList(policyFiles(moment.policies(), baseUrl))),
      section(
        "Interfaces",
        fileList([...interfaces(baseUrl), llmsOf(baseUrl), sitemapOf(baseUrl)]),
      ),
    ),
  };
};

/** Locates the home page; before the shop's settings were told the service stands in for the shop. */
export const homeLocation = (moment: Snapshot, baseUrl: string): PageLocation => ({
  canonical: moment.shop()?.url ?? baseUrl,
  address: `${baseUrl}/index.md`,
});

const facts = (moment: Snapshot, shop: ReturnType<typeof shopFacts>): string => {
  const told = moment.shop();
  const free = hidesPrices(moment) ? null : told?.freeShippingThreshold;
  return [
    `- Shop: ${autolink(shop.url)}`,
    `- Language: ${shop.language}`,
    `- Currency: ${shop.currency}`,
    `- Products: ${shop.productCount}`,
    `- Categories with products: ${shop.categoryCount}`,
    ...(free ? [`- Free shipping from: ${free.amount} ${free.currency}`] : []),
    ...(told?.contact?.email ? [`- E-mail: ${inline(told.contact.email)}`] : []),
    ...(told?.contact?.url ? [`- Contact: ${autolink(told.contact.url)}`] : []),
  ].join("\n");
};

/** §5: carriers, price ranges and delivery times are anybody's to read; a binding quote is the checkout's. */
const shipping = (moment: Snapshot): string => {
  const hidden = hidesPrices(moment);
  return moment
    .carriers()
    .map(({ name, countries, price, deliveryDays }) => {
      const range = price.min === price.max ? price.min : `${price.min}–${price.max}`;
      const cost = hidden ? "" : `${range} ${price.currency}, `;
      const days = `${deliveryDays.min}–${deliveryDays.max} days`;
      const places = countries.includes("*") ? "any country" : countries.join(", ");
      return `- ${inline(name)}: ${cost}${days}; to ${places}`;
    })
    .join("\n");
};

const hidesPrices = (moment: Snapshot): boolean => moment.shop()?.pricesVisible === false;

const llmsOf = (baseUrl: string) => ({
  name: "llms.txt",
  url: `${baseUrl}/llms.txt`,
  note: "an overview for language models",
});
