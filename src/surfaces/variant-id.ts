/** Parses the public id of a variant, `4711.90001`. @returns undefined for an id that no variant can have */
export const parseVariantId = (id: string) => {
  const [, product, variant] = publicId.exec(id) ?? [];
  const ids = { product: Number(product), variant: Number(variant) };
  return Number.isSafeInteger(ids.product) && Number.isSafeInteger(ids.variant) ? ids : undefined;
};

const publicId = /^([1-9]\d{0,15})\.([1-9]\d{0,15})$/;

/** Reads the id of a variant of a product: `90001` or `4711.90001`. @returns undefined for the id of no variant of the product */
export const readVariantId = (product: number, id: string): number | undefined => {
  const ids = parseVariantId(id.includes(".") ? id : `${product}.${id}`);
  return ids?.product === product ? ids.variant : undefined;
};
