import type { ProductDocument, VariantDocument } from "../../../read-model/schema/documents.ts";
import type { ProductCore } from "../../../read-model/schema/rows.ts";

/** A visible product: its document, its stored core and its variants. */
export interface VisibleProduct {
  readonly product: ProductDocument;
  readonly core: ProductCore;
  /** Undefined when a batch changed nothing but prices and stock, which leave the texts of variants as they are. */
  readonly variants: readonly VariantDocument[] | undefined;
}
