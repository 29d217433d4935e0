import type { ProductDocument } from "../../../read-model/schema/documents.ts";
import { formatAvailability, formatPrice, joinLines } from "../../format.ts";
import { invalidArgument } from "../../user-error.ts";
import { type Id, parseId, type Tool } from "./tool.ts";

interface Arguments {
  readonly product_ids: readonly Id[];
}

const idTooLarge = `\`product_ids\` must not contain an id above ${Number.MAX_SAFE_INTEGER}: no product has one.`;

export const checkAvailability: Tool<Arguments> = {
  name: "check_availability",
  answer({ snapshot }, { product_ids: requested }) {
    const ids = [...new Set(requested.map(parseId))];
    // Rejects ids above MAX_SAFE_INTEGER, which as numbers would become other ids.
    if (ids.includes(0)) return invalidArgument(["product_ids"], idTooLarge);
    const products = ids.flatMap((id) => snapshot.product(id) ?? []);
    const missing = ids.filter((id) => !snapshot.product(id));
    const asOf = snapshot.lastEventTime() ?? new Date(0).toISOString();
    return {
      structured: {
        products: products.map((product) => ({ ...toItem(product), as_of: asOf })),
        not_found: missing,
      },
      text: joinLines(
        products.length > 0 ? `As of ${asOf}:` : undefined,
        ...products.map(formatItem),
        missing.length > 0 ? `Not found: ${missing.join(", ")}` : undefined,
      ),
    };
  },
};

const toItem = ({ id, availability, price, url }: ProductDocument) => ({
  id,
  availability,
  price,
  url,
});

const formatItem = ({ id, availability, price, url }: ProductDocument): string =>
  `- id ${id}: ${formatAvailability(availability)}, ${formatPrice(price)}, ${url}`;
