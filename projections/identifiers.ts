import type { IdentifierMember } from "../src/read-model/schema/documents.ts";
import type { VariantContent } from "../src/read-model/schema/goods.ts";
import type { ProductCore } from "../src/read-model/schema/rows.ts";
import { normaliseIdentifier } from "../src/read-model/search/text/identifiers.ts";

/** A code of a product or of one of its variants, normalised for the exact look-up. */
export interface Identifier {
  readonly member: IdentifierMember;
  readonly code: string;
}

type VariantCodes = Pick<VariantContent, "sku" | "gtin" | "mpn">;

/** Lists the codes by which a product is found, each once. */
export const listIdentifiers = (
  core: ProductCore,
  variants: readonly VariantCodes[],
): readonly Identifier[] => {
  const codes = new Map<string, Identifier>();
  const add = (member: IdentifierMember, text: string | null | undefined): void => {
    const code = normaliseIdentifier(text ?? "");
    if (code !== "") codes.set(`${member} ${code}`, { member, code });
  };
  add("reference", core.reference);
  add("gtin", core.gtin);
  add("mpn", core.facts?.mpn);
  for (const { sku, gtin, mpn } of variants) {
    add("reference", sku);
    add("gtin", gtin);
    add("mpn", mpn);
  }
  return [...codes.values()];
};
