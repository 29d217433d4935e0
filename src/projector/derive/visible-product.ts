import type { ProductDocument } from "../../read-model/schema/documents.ts";
import type { ProductCore } from "../../read-model/schema/rows.ts";

/** A visible product: its document and its stored core. */
export interface VisibleProduct {
  readonly product: ProductDocument;
  readonly core: ProductCore;
}
