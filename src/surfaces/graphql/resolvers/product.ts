import type { ProductQueries } from "../../../read-model/reader/reader.ts";
import {
  invalidArgument,
  notFound,
  type UserError,
  type WithUserErrors,
} from "../../user-error.ts";

const field = ["product", "id"];

export interface ProductPayload<P> extends WithUserErrors {
  readonly product: P | null;
}

/** Resolves `Query.product` (Specification §4.1 rule 3): null with an error when no visible product has the id. */
export const product = <P>(
  snapshot: Pick<ProductQueries<P>, "product">,
  { id }: { readonly id: string },
): ProductPayload<P> => {
  if (!positiveInteger.test(id)) {
    return noProduct(invalidArgument(field, "The id of a product is a positive integer."));
  }
  const result = Number.isSafeInteger(Number(id)) ? snapshot.product(Number(id)) : undefined;
  if (!result) return noProduct(notFound(field, `No product has the id ${id}.`));
  return { product: result, userErrors: [] };
};

export const noProduct = (...userErrors: readonly UserError[]): ProductPayload<never> => ({
  product: null,
  userErrors,
});

/**
 * Matches the canonical form of an id: no sign, exponent, space or leading zero, and no more digits than any id has.
 */
const positiveInteger = /^[1-9][0-9]{0,30}$/;
