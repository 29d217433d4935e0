/** The two parts of the public id of a variant. */
export interface VariantIds {
  readonly product: number;
  readonly variant: number;
}

/** Parses the public id of a variant, `4711.90001`. @returns undefined for an id that no variant can have */
export const parseVariantId = (id: string): VariantIds | undefined => {
  const [product, variant] = id.split(".").map(Number);
  return isId(product) && isId(variant) ? { product, variant } : undefined;
};

const isId = (id: number | undefined): id is number => Number.isSafeInteger(id) && Number(id) > 0;
