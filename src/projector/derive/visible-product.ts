import type { ProductDocument } from "../../read-model/schema/documents.ts";
import type { ProductCore } from "../../read-model/schema/rows.ts";

/** A visible product as it is told and as it is kept. */
export interface Visible {
  readonly product: ProductDocument;
  readonly core: ProductCore;
}
