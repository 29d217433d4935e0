/**
 * The only list of projections. Raise a version when what a projection writes changes: generations written by
 * other versions are built anew from the log.
 */
export const projections = [
  { name: "product", version: 1 },
  { name: "price", version: 1 },
  { name: "stock", version: 1 },
  { name: "category", version: 1 },
  { name: "page", version: 1 },
  { name: "carrier", version: 1 },
  { name: "shop", version: 1 },
  { name: "access", version: 1 },
  { name: "search", version: 1 },
  { name: "order", version: 1 },
  { name: "recent", version: 1 },
] as const;

/** The versions in one word, as a checkpoint keeps them: `product.1 price.1 …`. */
export const projectionVersions = projections
  .map(({ name, version }) => `${name}.${version}`)
  .join(" ");
