import { refused } from "../delivery.ts";
import { readInteger, readMembers, readText } from "../members.ts";
import { latestTime } from "../times.ts";
import type { Translation } from "../translation.ts";
import { nextVersion, older } from "./message.ts";
import type {
  CommercetoolsConnection,
  CommercetoolsTables,
  MessageHandler,
  SkuStock,
  SkuVariant,
  SupplyCount,
  SupplyEntry,
} from "./state.ts";

type Changes = Translation<CommercetoolsTables>;

/** Handles the messages of an entry of inventory. A deleted one stays as a tombstone. */
export const changeEntry: MessageHandler = (translation, connection, message) => {
  const { body } = message;
  const created = readMembers(body["inventoryEntry"]);
  const entry = created ?? body;
  const quantity = readInteger(created?.["availableQuantity"] ?? body["newAvailableQuantity"]);
  if (quantity === undefined && body["type"] !== "InventoryEntryDeleted") {
    const path = created ? "inventoryEntry.availableQuantity" : "newAvailableQuantity";
    return refused(path, "must be a whole number");
  }
  // Messages before October 2025 have the SKU as an identifier alone.
  const identifiers = readMembers(body["resourceUserProvidedIdentifiers"]);
  const sku = readText(entry["sku"]) ?? readText(identifiers?.["sku"]);
  if (sku === undefined) return refused("sku", "must be the SKU of the entry");
  const row = translation.get("skus", sku) ?? { entries: {} };
  const id = String(message.entity.id);
  const version = nextVersion(message, row.entries[id]);
  if (!version) return older;
  const channel = readText(readMembers(entry["supplyChannel"])?.["id"]);
  const changed = { ...version, channel, quantity: quantity ?? null };
  putStock(translation, connection, sku, { ...row, entries: { ...row.entries, [id]: changed } });
  return undefined;
};

/** Joins a variant with its SKU, and adds its stock. */
export const joinVariant = (
  translation: Changes,
  connection: CommercetoolsConnection,
  sku: string | undefined,
  variant: SkuVariant,
): void => {
  const row = sku === undefined ? undefined : translation.get("skus", sku);
  const { variant: joined, entries } = row ?? { entries: {} };
  // A SKU moves to another product, and an older message of the former one may arrive later.
  if (joined && joined.productId !== variant.productId && joined.time > variant.time) return;
  putStock(translation, connection, sku, { variant, entries });
};

/** Stores the stock of a SKU, and adds that of its variant. */
const putStock = (
  translation: Changes,
  { supplyChannel }: CommercetoolsConnection,
  sku: string | undefined,
  row: SkuStock,
): void => {
  if (sku !== undefined) translation.put("skus", sku, row);
  if (!row.variant) return;
  const { productId, variantId, counted, time: joinedAt } = row.variant;
  const isAny = supplyChannel === undefined;
  const entries = Object.values(row.entries).filter(
    (entry) => isAny || entry.channel === supplyChannel,
  );
  const key = `${productId}/${variantId}`;
  const newest = translation.get("stockTimes", key);
  const stock = countStock(entries, isAny ? counted : undefined, joinedAt);
  // The stock of a former SKU must not stay, and its time may be later.
  if (!stock && newest === undefined) return;
  const time = latestTime(joinedAt, newest, ...entries.map((entry) => entry.time));
  translation.put("stockTimes", key, time);
  const data = { productId, variantId, ...(stock ?? { quantity: null }) };
  translation.add({ type: "shop.stock.changed", data, time });
};

/**
 * Sums the entries. Where none is left, the projection counts, unless a deletion is newer.
 * @returns undefined without any information
 */
const countStock = (
  entries: readonly SupplyEntry[],
  counted: SupplyCount | undefined,
  countedAt: string,
): SupplyCount | undefined => {
  const quantities = entries.flatMap(({ quantity }) => quantity ?? []);
  const isNewest = entries.every(({ time }) => time <= countedAt);
  if (quantities.length === 0 && counted && isNewest) return counted;
  if (entries.length === 0) return undefined;
  return { quantity: quantities.reduce((sum, quantity) => sum + quantity, 0) };
};
