import { type ConnectionTables, type DeliveryRow, type InboxMeta, tableKey } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** For how long deliveries are kept to be translated again, and up to which size of all bodies. */
const kept = { translatedMs: 7 * dayMs, refusedMs: 30 * dayMs, bytes: 1024 ** 3 };
/** Maximum rows that one transaction removes. */
const maxRemoved = 1_000;

/**
 * Removes deliveries that are past their time, and the oldest bodies past the size.
 * @returns whether there may be more to remove
 */
export const trimTables = (tables: ConnectionTables, before: InboxMeta, at: string): boolean => {
  const { deliveries, bodies, ids, refused, meta } = tables;
  let { storedBytes } = before;
  const removeBody = (arrival: number): void => {
    storedBytes -= bodies.doesExist(arrival) ? (deliveries.get(arrival)?.bytes ?? 0) : 0;
    bodies.removeSync(arrival);
  };
  const past = collectPast(tables, before.position, at);
  for (const [arrival, { deliveryId }] of past) {
    removeBody(arrival);
    if (deliveryId !== undefined) ids.removeSync(tableKey(deliveryId));
    deliveries.removeSync(arrival);
    refused.removeSync(arrival);
  }
  const oldest = { end: before.position + 1, limit: maxRemoved };
  // Keys are collected before any is removed, because a removal moves the cursor.
  for (const arrival of storedBytes > kept.bytes ? [...bodies.getKeys(oldest)] : []) {
    if (storedBytes > kept.bytes) removeBody(arrival);
  }
  meta.putSync("inbox", { ...before, storedBytes });
  return past.size === maxRemoved || storedBytes > kept.bytes;
};

/** Collects the oldest deliveries that are past their time. Refused ones stay longer among them. */
const collectPast = (
  { deliveries, refused }: ConnectionTables,
  position: number,
  at: string,
): ReadonlyMap<number, DeliveryRow> => {
  const past = new Map<number, DeliveryRow>();
  for (const { key, value } of deliveries.getRange({ end: position + 1 })) {
    const isRefused = refused.doesExist(key);
    const keptMs = isRefused ? kept.refusedMs : kept.translatedMs;
    if (Date.parse(value.arrivedAt) + keptMs < Date.parse(at)) past.set(key, value);
    else if (!isRefused) break;
    if (past.size === maxRemoved) break;
  }
  return past;
};
