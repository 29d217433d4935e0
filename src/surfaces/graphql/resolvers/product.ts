import type { Product } from "../../../read-model/reader/product.ts";
import type { Snapshot } from "../../../read-model/reader/reader.ts";
import {
  invalidArgument,
  notFound,
  type UserError,
  type WithUserErrors,
} from "../../user-error.ts";

const field = ["product", "id"];

export interface ProductPayload extends WithUserErrors {
  readonly product: Product | null;
}

/** Resolves `Query.product` (Specification §4.1 rule 3): null with an error when no visible product has the id. */
export const product = (
  snapshot: Pick<Snapshot, "product">,
  { id }: { readonly id: string },
): ProductPayload => {
  if (!positiveInteger.test(id)) {
    return noProduct(invalidArgument(field, "The id of a product is a positive integer."));
  }
  const result = Number.isSafeInteger(Number(id)) ? snapshot.product(Number(id)) : undefined;
  if (!result) return noProduct(notFound(field, `No product has the id ${id}.`));
  return { product: result, userErrors: [] };
};

export const noProduct = (...userErrors: readonly UserError[]): ProductPayload => ({
  product: null,
  userErrors,
});

/**
 * Matches the canonical form of an id: no sign, exponent, space or leading zero, and no more digits than any id has.
 */
const positiveInteger = /^[1-9][0-9]{0,30}$/;
