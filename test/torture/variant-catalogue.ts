import type { CloudEvent } from "../../src/events/envelope.ts";
import type { VariantData } from "../../src/events/product-facts.ts";
import { productUpserted, settingsUpdated, stockChanged } from "../helpers/events.ts";

/**
 * Builds a shop in which each product has many variants with specifications and images of their own. No variant can be ordered, so
 * that a search for one reads all of them.
 * @param attributes of each product
 */
export const variantCatalogue = (shape: {
  readonly products: number;
  readonly variants: number;
  readonly attributes: number;
}): readonly CloudEvent[] => [
  settingsUpdated({ currency: "EUR" }),
  ...numbered(shape.products, (at) => at + 1).flatMap((id) => [
    buildProduct(id, shape.variants, shape.attributes),
    stockChanged({ productId: id, variantId: 1, quantity: 0 }),
  ]),
];

const euros = (units: number) => ({ amount: `${units}.00`, currency: "EUR" });

const numbered = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const specifications = (count: number) =>
  numbered(count, (at) => ({
    name: `Length ${at}`,
    value: `${at} cm`,
    code: `length_${at}`,
    numericValue: `${at}`,
    unit: "cm",
    group: "Sizes",
  }));

const images = (count: number) =>
  numbered(count, (at) => ({
    url: `https://shop.example/images/${at}.jpg`,
    alt: `Picture ${at}`,
    width: 800,
    height: 600,
  }));

const buildProduct = (id: number, count: number, attributes: number): CloudEvent => {
  const variants = numbered(
    count,
    (at): VariantData => ({
      id: at + 1,
      sku: `SKU-${id}-${at}`,
      options: [
        { name: "Color", value: `Color ${Math.floor(at / 10)}` },
        { name: "Size", value: `Size ${at % 10}` },
      ],
      price: euros(20 + at),
      listPrice: euros(200),
      specifications: specifications(5),
      images: images(3),
    }),
  );
  return productUpserted({
    ...{ id, name: `Product ${id}`, price: euros(20), variants },
    options: [
      {
        name: "Color",
        code: "color",
        values: numbered(Math.ceil(count / 10), (at) => `Color ${at}`),
      },
      { name: "Size", code: "size", values: numbered(10, (at) => `Size ${at}`) },
    ],
    specifications: specifications(attributes),
    images: images(10),
    tags: numbered(20, (at) => `tag ${at}`),
    highlights: numbered(10, (at) => `Highlight ${at} of the product`),
  });
};
