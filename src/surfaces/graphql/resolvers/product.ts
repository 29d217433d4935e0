import type { Products } from "../../../read-model/reader/reader.ts";
import { invalidArgument, notFound, type UserError, type WithUserErrors } from "../user-errors.ts";

const field = ["product", "id"];

export interface ProductPayload<P> extends WithUserErrors {
  readonly product: P | null;
}

/** `Query.product` (§4.1 rule 3): null with a reason when the id names no visible product. */
export const product = <P>(
  moment: Pick<Products<P>, "product">,
  { id }: { readonly id: string },
): ProductPayload<P> => {
  if (!positiveInteger.test(id)) {
    return noProduct(invalidArgument(field, "The id of a product is a positive integer."));
  }
  const found = Number.isSafeInteger(Number(id)) ? moment.product(Number(id)) : undefined;
  if (!found) return noProduct(notFound(field, `No product has the id ${id}.`));
  return { product: found, userErrors: [] };
};

export const noProduct = (...userErrors: readonly UserError[]): ProductPayload<never> => ({
  product: null,
  userErrors,
});

/** Written the one way there is: no sign, exponent, space or leading zero. Longer than any id is no id. */
const positiveInteger = /^[1-9][0-9]{0,30}$/;
