import type { ProductText } from "./corpus.ts";

/** Builds the document that a peer returns, with the members and sizes of Vitrine's. */
export const toPeerDocument = (text: ProductText) => ({
  id: String(text.id),
  name: text.name,
  description: text.description || null,
  url: `https://shop.example/p/${text.id}`,
  reference: text.reference || null,
  gtin: text.gtin || null,
  brand: text.brand || null,
  price: { amount: `${(text.id % 500) + 1}.90`, currency: "EUR" },
  availability: "OUT_OF_STOCK",
  updatedAt: "2026-10-01T08:00:00.000Z",
});
