import { readFileSync } from "node:fs";
import type {
  CarrierData,
  NameValue,
  PageData,
  ProductData,
  SettingsData,
} from "../../src/events/event.ts";
import { factsOf } from "./facts.ts";
import { type SourceCategory, type SourceProduct, slugOf, titleOf } from "./source.ts";
import { variantMembers } from "./variants.ts";

/** What the demo shop says of itself and its goods; the history changes it later. */

export const shopUrl = "https://shop.example";

const usd = (amount: string) => ({ amount, currency: "USD" });

export const settings: SettingsData = {
  name: "Retail Demo Store",
  url: shopUrl,
  language: "en",
  currency: "USD",
  description: "A demonstration shop with a catalogue of fictional goods.",
  freeShippingThreshold: usd("75.00"),
  checkoutLink: {
    template: `${shopUrl}/cart/{items}`,
    item: "{publicId}:{quantity}",
    separator: ",",
  },
  contact: { email: "hello@shop.example", url: `${shopUrl}/pages/contact` },
  listPriceKind: "former",
  taxIncluded: false,
  quantityVisible: "low",
  lowStockThreshold: 5,
  upcomingSales: "shown",
  returns: { accepted: true, days: 30, fees: "free", countries: ["US"] },
  country: "US",
  timeZone: "America/New_York",
};

const carrier = (
  id: number,
  name: string,
  countries: readonly string[],
  [min, max]: readonly [string, string],
  [fastest, slowest]: readonly [number, number],
): CarrierData => ({
  id,
  name,
  countries,
  price: { min, max, currency: "USD" },
  deliveryDays: { min: fastest, max: slowest },
});

export const carriers: readonly CarrierData[] = [
  carrier(1, "Standard Ground", ["US"], ["4.95", "9.95"], [3, 6]),
  carrier(2, "Express Air", ["US", "CA"], ["14.95", "29.95"], [1, 2]),
  carrier(3, "North America Post", ["CA", "MX"], ["12.95", "24.95"], [5, 10]),
  carrier(4, "Worldwide Parcel", ["*"], ["24.95", "79.95"], [7, 21]),
  carrier(5, "City Bicycle (trial)", ["US"], ["6.95", "6.95"], [0, 1]),
];

const page = (
  id: number,
  slug: string,
  title: string,
  policy: PageData["policy"] = null,
  file = slug,
): PageData => ({
  id,
  title,
  url: `${shopUrl}/pages/${slug}`,
  contentHtml: readText(`pages/${file}.html`),
  policy,
});

export const pages: readonly PageData[] = [
  page(1, "returns", "Returns and refunds", "returns"),
  page(2, "shipping", "Shipping", "shipping"),
  page(3, "payment", "Payment", "payment"),
  page(4, "terms", "Terms and conditions", "terms"),
  page(5, "privacy", "Privacy", "privacy"),
  page(6, "contact", "Contact", "contact"),
  page(7, "about-us", "About us"),
  page(8, "size-guide", "Size guide"),
  page(9, "summer-market", "Summer market"),
];

export const shippingForHolidays = page(2, "shipping", "Shipping", "shipping", "shipping-holidays");

export const robots = readText("robots.txt");

export const categoryUrl = ({ path }: SourceCategory): string => `${shopUrl}/${path}`;

/** Brand and GTIN are not in the source, so the shop has none. */
export function productOf(source: SourceProduct): ProductData {
  const { number, name, category } = source;
  const [top = ""] = category.path.split("/");
  const { attributes = [], ...facts } = factsOf(number);
  return {
    id: number,
    name,
    descriptionHtml: paragraph(source.descriptionHtml),
    url: `${shopUrl}/${top}/${slugOf(name)}-${number}`,
    reference: referenceOf(source),
    price: { amount: Number(source.price).toFixed(2), currency: source.currency },
    categoryIds: [category.id],
    specifications: [...specificationsOf(source), ...attributes],
    images: [{ url: `${shopUrl}/images/${source.image}`, alt: name }],
    ...facts,
    ...variantMembers(number, referenceOf(source)),
  };
}

/** `Department: Accessories`, `Kind: Backpack`: what the source's own tree says. */
function specificationsOf({ category, categoryPath }: SourceProduct): readonly NameValue[] {
  return [
    { name: "Department", value: titleOf(categoryPath[0]) },
    { name: "Kind", value: category.name },
  ];
}

export const paragraph = (text: string): string =>
  `<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`;

/** `ACC-BAC-1001`: the first letters of both categories, and the id. */
export function referenceOf({ category, number }: SourceProduct): string {
  const codes = category.path.split("/").map((slug) => slug.slice(0, 3).toUpperCase());
  return [...codes, number].join("-");
}

function readText(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}
