import type { ProductDocument } from "../../../read-model/schema/documents.ts";
import { availabilityText, lines, priceText } from "../format.ts";
import { invalidArgument } from "../tool-error.ts";
import { type Id, idOf, type Tool } from "./tool.ts";

interface Arguments {
  readonly product_ids: readonly Id[];
}

const tooGreat = `\`product_ids\` may hold no id above ${Number.MAX_SAFE_INTEGER}: no product has such a one.`;

export const checkAvailability: Tool<Arguments> = {
  name: "check_availability",
  answer({ moment }, { product_ids: asked }) {
    const ids = [...new Set(asked.map(idOf))];
    // As a number it would be told as another one.
    if (ids.includes(0)) return invalidArgument(["product_ids"], tooGreat);
    const found = ids.flatMap((id) => moment.product(id) ?? []);
    const missing = ids.filter((id) => !moment.product(id));
    const asOf = moment.lastEventTime() ?? new Date(0).toISOString();
    return {
      structured: {
        products: found.map((product) => ({ ...shown(product), as_of: asOf })),
        not_found: missing,
      },
      text: lines(
        found.length > 0 ? `As of ${asOf}:` : undefined,
        ...found.map(line),
        missing.length > 0 ? `Not found: ${missing.join(", ")}` : undefined,
      ),
    };
  },
};

const shown = ({ id, availability, price, url }: ProductDocument) => ({
  id,
  availability,
  price,
  url,
});

const line = ({ id, availability, price, url }: ProductDocument): string =>
  `- id ${id}: ${availabilityText(availability)}, ${priceText(price)}, ${url}`;
