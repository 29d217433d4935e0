import type { IdentifierMember, ProductText } from "../src/read-model/schema/documents.ts";
import type { VariantContent } from "../src/read-model/schema/product-parts.ts";
import { normaliseIdentifier } from "../src/read-model/search/text/identifiers.ts";

/** A code of a product or of one of its variants, normalised for the exact look-up. */
export interface Identifier {
  readonly member: IdentifierMember;
  readonly code: string;
}

type VariantCodes = Pick<VariantContent, "sku" | "gtin" | "mpn">;

/** Lists the codes by which a product is found, each once. */
export const listIdentifiers = (
  { reference, gtin, facts }: Pick<ProductText, "reference" | "gtin" | "facts">,
  variants: readonly VariantCodes[],
): readonly Identifier[] => {
  const codes = new Map<string, Identifier>();
  const add = (member: IdentifierMember, text: string | null | undefined): void => {
    const code = normaliseIdentifier(text ?? "");
    if (code !== "") codes.set(`${member} ${code}`, { member, code });
  };
  add("reference", reference);
  add("gtin", gtin);
  add("mpn", facts.mpn);
  for (const variant of variants) {
    add("reference", variant.sku);
    add("gtin", variant.gtin);
    add("mpn", variant.mpn);
  }
  return [...codes.values()];
};
