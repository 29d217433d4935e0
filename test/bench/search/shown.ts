import type { Text } from "./corpus.ts";

/** A product as a peer shows it: with the members, and of the sizes, that Vitrine shows. */
export const shownOf = (text: Text) => ({
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
