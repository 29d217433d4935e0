import type { ProductDocument } from "../../../read-model/documents.ts";
import { type Id, idOf, type Tool } from "../tool.ts";
import { availabilityText, lines, priceText } from "../wording.ts";

interface Arguments {
  readonly product_ids: readonly Id[];
}

export const checkAvailability: Tool<Arguments> = {
  name: "check_availability",
  answer({ moment }, { product_ids: asked }) {
    const ids = [...new Map(asked.map((id) => [String(id), id])).values()];
    const found = ids.flatMap((id) => moment.product(idOf(id)) ?? []);
    const missing = ids.filter((id) => !moment.product(idOf(id))).map(Number);
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
