/** The key of rows of a variant: `4711/90001`. */
export const variantKey = (product: number, variant: number): string => `${product}/${variant}`;

/** The key of the rows that an event of a price or stock writes. */
export const toRowKey = ({
  productId,
  variantId,
}: {
  readonly productId: number;
  readonly variantId?: number;
}): number | string => (variantId === undefined ? productId : variantKey(productId, variantId));

export const productOfKey = (key: number | string): number =>
  typeof key === "number" ? key : Number(key.slice(0, key.indexOf("/")));

export const variantOfKey = (key: string): number => Number(key.slice(key.indexOf("/") + 1));

/** The range of keys of all variants of a product. `0` is the character after the slash. */
export const variantKeys = (product: number): { readonly start: string; readonly end: string } => ({
  start: `${product}/`,
  end: `${product}0`,
});
