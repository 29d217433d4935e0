import { type JsonMembers, parseMember } from "../../../read-model/reader/product-json.ts";
import type { ProductDocument } from "../../../read-model/schema/documents.ts";
import { formatAvailability, formatPrice } from "../../format.ts";

/** Writes the texts of tools as JSON, with stored JSON copied into them: a stored text is escaped already. */

export type ProductMembers = JsonMembers<ProductDocument>;

/** Returns the JSON of a string without its quotes. */
export const unquote = (json: string): string => json.slice(1, -1);

/** Escapes a text as the inside of a JSON string. */
export const escapeJson = (text: string): string => unquote(JSON.stringify(text));

/** Writes a text of lines as JSON. @param lines non-empty ones are joined; each is the inside of a JSON string */
export const writeLines = (...lines: readonly (string | undefined)[]): string =>
  `"${lines.filter(Boolean).join("\\n")}"`;

/** Checks whether a stored text is absent or empty. */
export const isBlank = (json: string): boolean => json === "null" || json === '""';

/** Formats the price; its amount and its currency need no escaping. */
export const writePrice = (product: ProductMembers): string =>
  formatPrice(parseMember(product, "price"));

export const writeAvailability = (product: ProductMembers): string =>
  formatAvailability(parseMember(product, "availability"));
