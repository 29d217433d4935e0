import { variantKey } from "../../schema/keys.ts";
import type { Line } from "../../schema/lines.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";

/** Why a line is shown no more. `held_back`: a category below one that is not shown. */
export type RemovalReason = "deleted" | "hidden" | "held_back";

/** Reads why a line that was shown is shown no more. */
export const readRemovalReason = (stored: ReadTables, { kind, id }: Line): RemovalReason => {
  switch (kind) {
    case "shop":
      return "deleted";
    case "category": {
      const content = stored.get(tables.categoryStates, Number(id))?.content;
      return content?.active ? "held_back" : toReason(content);
    }
    case "page":
      return toReason(stored.get(tables.pages, Number(id))?.content);
    case "carrier":
      return toReason(stored.get(tables.carriers, Number(id))?.content);
    case "product":
    case "variant":
    case "price":
    case "stock":
      return readGoodsReason(stored, id);
  }
};

const toReason = (content: object | null | undefined): RemovalReason =>
  content ? "hidden" : "deleted";

/** @param id of a line of a product or variant */
const readGoodsReason = (stored: ReadTables, id: string): RemovalReason => {
  const [product = 0, variant] = id.split(".").map(Number);
  const core = stored.get(tables.productCores, product)?.group?.content;
  if (!core?.active || variant === undefined) return toReason(core);
  const own = stored.get(tables.variantStates, variantKey(product, variant));
  const listed = stored.get(tables.variantLists, product)?.content;
  const stated = own ? own.content : listed?.find((each) => each.id === variant);
  // An active variant has lost a price or a stock of its own.
  return stated && !stated.active ? "hidden" : "deleted";
};
