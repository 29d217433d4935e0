import { type JsonMembers, parseMember } from "../../../read-model/reader/product-json.ts";
import type { ProductDocument } from "../../../read-model/schema/documents.ts";
import { formatAvailability, formatPrice } from "../../format.ts";
import { merchantMark } from "../text-bound.ts";

/** Writes the texts of tools as JSON, with stored JSON copied into them: a stored text is escaped already. */

export type ProductMembers = JsonMembers<ProductDocument>;

/** Returns the JSON of a string without its quotes. */
export const unquote = (json: string): string => json.slice(1, -1);

/** Escapes a text as the inside of a JSON string. */
export const escapeJson = (text: string): string => unquote(JSON.stringify(text));

/** Marks the lines of a stored text as those of the merchant, without parsing it. An escaped backslash before `n` ends no line. */
export const markStoredLines = (json: string): string =>
  merchantMark +
  unquote(json).replace(/\\(.)|[\u2028\u2029]/g, (match, escaped = "n") =>
    escaped === "n" || escaped === "r" ? match + merchantMark : match,
  );

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
