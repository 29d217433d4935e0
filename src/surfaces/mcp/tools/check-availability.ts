import { invalidArgument } from "../../user-error.ts";
import {
  type ProductMembers,
  unquote,
  writeAvailability,
  writeLines,
  writePrice,
} from "./stored-json.ts";
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
    const found = ids.map((id) => ({ id, product: snapshot.productMembers(id) }));
    const products = found.flatMap(({ product }) => product ?? []);
    const missing = found.flatMap(({ id, product }) => (product ? [] : id));
    const asOf = snapshot.lastEventTime() ?? new Date(0).toISOString();
    return {
      structuredJson: `{"products":[${products.map((product) => writeItem(product, asOf)).join()}],"not_found":${JSON.stringify(missing)}}`,
      textJson: writeLines(
        products.length > 0 ? `As of ${asOf}:` : undefined,
        ...products.map(writeItemText),
        missing.length > 0 ? `Not found: ${missing.join(", ")}` : undefined,
      ),
    };
  },
};

const writeItem = ({ id, availability, price, url }: ProductMembers, asOf: string): string =>
  `{"id":${id},"availability":${availability},"price":${price},"url":${url},"as_of":"${asOf}"}`;

const writeItemText = (product: ProductMembers): string =>
  `- id ${product.id}: ${writeAvailability(product)}, ${writePrice(product)}, ${unquote(product.url)}`;
