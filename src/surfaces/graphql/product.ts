import type { ProductDocument } from "../../read-model/documents.ts";
import type { Snapshot } from "../../read-model/reader.ts";
import { invalidArgument, notFound, type UserError, type WithUserErrors } from "./user-errors.ts";

const field = ["product", "id"];

export interface ProductPayload extends WithUserErrors {
  readonly product: ProductDocument | null;
}

/** `Query.product` (§4.1 rule 3): null with a reason when the id names no visible product. */
export const product = (moment: Snapshot, { id }: { readonly id: string }): ProductPayload => {
  const number = productId(id);
  if (number === undefined) {
    return noProduct(invalidArgument(field, "The id of a product is a positive integer."));
  }
  const found = moment.product(number);
  if (!found) return noProduct(notFound(field, `No product has the id ${number}.`));
  return { product: found, userErrors: [] };
};

export const noProduct = (...userErrors: readonly UserError[]): ProductPayload => ({
  product: null,
  userErrors,
});

/** A positive integer written the one way there is: no sign, exponent, space or leading zero. */
const productId = (text: string): number | undefined => {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
};
