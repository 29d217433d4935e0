import type { ProductDocument } from "../../read-model/documents.ts";
import type { Snapshot } from "../../read-model/reader.ts";
import { invalidArgument, notFound, type UserError, type WithUserErrors } from "./user-errors.ts";

const field = ["product", "id"];

export interface ProductPayload extends WithUserErrors {
  readonly product: ProductDocument | null;
}

/** `Query.product` (§4.1 rule 3): null with a reason when the id names no visible product. */
export const product = (moment: Snapshot, { id }: { readonly id: string }): ProductPayload => {
  if (!positiveInteger.test(id)) {
    return noProduct(invalidArgument(field, "The id of a product is a positive integer."));
  }
  const found = Number.isSafeInteger(Number(id)) ? moment.product(Number(id)) : undefined;
  if (!found) return noProduct(notFound(field, `No product has the id ${id}.`));
  return { product: found, userErrors: [] };
};

export const noProduct = (...userErrors: readonly UserError[]): ProductPayload => ({
  product: null,
  userErrors,
});

/** Written the one way there is: no sign, exponent, space or leading zero. Longer than any id is no id. */
const positiveInteger = /^[1-9][0-9]{0,30}$/;
