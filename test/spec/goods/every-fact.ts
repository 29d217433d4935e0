import type { CloudEvent } from "../../../src/events/envelope.ts";
import type { ProductData } from "../../../src/events/event.ts";
import { categoryUpserted, productUpserted, stockChanged } from "../../helpers/events.ts";
import { euros, settings } from "./situations.ts";

const time = "2026-10-01T00:00:00Z";

const sale = (amount: string, from?: string) => ({
  price: euros(amount),
  ...(from && { from }),
  to: "2027-01-01T00:00:00+01:00",
});

/** A product with every fact, and a variant with every fact of its own. */
const everyFact: Partial<ProductData> = {
  ...{ id: 1, name: "Kettle", brand: "Acme", reference: "KTL-1", gtin: "4006381333931" },
  ...{ categoryIds: [7], descriptionHtml: "<p>Boils water.</p>" },
  ...{ price: euros("90.00"), priorPrice: euros("85.00"), sales: [sale("70.00")] },
  unitPricing: { measure: { value: "1500", unit: "ml" }, base: { value: "2", unit: "l" } },
  quantityRule: { min: 2, step: 2, max: 8 },
  options: [{ name: "Grade", code: "size", values: ["Good", "Fair"] }],
  specifications: [
    { name: "Power", value: "2200", numericValue: 2200, unit: "W", group: "Electrics" },
    { name: "Shape", value: "round" },
  ],
  images: [{ url: "https://shop.example/kettle.jpg", alt: "A kettle" }],
  ...{ mpn: "MPN-77", condition: "refurbished", minimumAge: 16, delivery: "service" },
  ...{ releaseDate: "2027-12-24", tags: ["kitchen", "gift"], highlights: ["Quiet"] },
  warnings: [
    {
      text: "Steam burns.",
      code: "W-9",
      url: "https://shop.example/w",
      imageUrl: "https://shop.example/w.png",
    },
  ],
  rating: { value: 4.2, best: 6, count: 31 },
  related: [{ productId: 2, relationship: "required_part" }],
  manufacturer: {
    ...{ name: "Potter Ltd", address: "1 Kiln Lane" },
    ...{ email: "info@potter.example", url: "https://potter.example/" },
  },
  responsiblePerson: { name: "Potter EU" },
  energyLabel: {
    ...{ class: "C", scale: ["A", "G"], labelUrl: "https://shop.example/label.png" },
    ...{ sheetUrl: "https://shop.example/sheet.pdf", eprelId: "998877" },
  },
  media: [{ type: "video", url: "https://shop.example/film", alt: "A film" }],
  returns: { accepted: true, days: 45, exchanges: true, fees: "customer", countries: ["AT"] },
  variants: [
    {
      ...{ id: 1, name: "The good one", options: [{ name: "Grade", value: "Good" }] },
      ...{ sku: "SKU-1", gtin: "4006381333948", mpn: "MPN-78", condition: "used" },
      url: "https://shop.example/p/1?v=1",
      quantityRule: { min: 3, step: 5, max: 23 },
      specifications: [{ name: "Weight", value: "1.2", numericValue: "1.2", unit: "kg" }],
      unitPricing: { measure: { value: "600", unit: "g" }, base: { value: "3", unit: "kg" } },
    },
    { id: 2, options: [{ name: "Grade", value: "Fair" }], price: euros("95.00") },
  ],
};

/** A shop in which everything is stated that a product may have. */
export const everyFactShop: readonly CloudEvent[] = [
  settings({
    upcomingSales: "shown",
    quantityVisible: "always",
    checkoutLink: { preset: "shopify" },
  }),
  categoryUpserted({ id: 7, name: "Kitchen" }, { time }),
  productUpserted(everyFact, { time }),
  productUpserted({ id: 2, name: "Lid" }, { time }),
  productUpserted(
    {
      ...{
        id: 3,
        name: "Fleece",
        price: euros("50.00"),
        sales: [sale("40.00", "2026-12-24T00:00:00Z")],
      },
      ...{ listPrice: euros("60.00"), minimumAge: 12, warnings: [{ text: "Keep from fire." }] },
    },
    { time },
  ),
  stockChanged(
    {
      productId: 1,
      variantId: 1,
      quantity: 17,
      availability: "preorder",
      availabilityDate: "2027-01-15",
    },
    { time },
  ),
  stockChanged({ productId: 1, variantId: 2, quantity: 0 }, { time }),
  stockChanged(
    { productId: 3, quantity: 11, availability: "backorder", availabilityDate: "2027-03-01" },
    { time },
  ),
];
