/** The shop of the drills: settings, a category and 20 products with stock. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CloudEvent } from "../../../../src/events/envelope.ts";
import {
  categoryUpserted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../../../helpers/events.ts";
import { ndjson } from "../../../helpers/vitrine.ts";

const about = (id: string, time: string) => ({ id, time, source: "/shops/main" });

/** Ids of the products. */
export const productIds = Array.from({ length: 20 }, (_, at) => 4701 + at);

/**
 * The same events at each call with the same time: a full export of the shop.
 * @param hour of 20 November 2026, which the ids of the events contain
 */
export const shopEvents = (hour = "09"): readonly CloudEvent[] => {
  const of = (name: string) => about(`${name}-${hour}`, `2026-11-20T${hour}:00:00Z`);
  return [
    settingsUpdated({ name: "Example Outdoor" }, of("settings")),
    categoryUpserted({ id: 12, name: "Jackets" }, of("category-12")),
    ...productIds.map((id) =>
      productUpserted({ id, name: `Rain jacket ${id}`, categoryIds: [12] }, of(`product-${id}`)),
    ),
    stockChanged({ productId: 4711, quantity: 12 }, of("stock-4711")),
  ];
};

/** Writes events to a file, one a line. */
export const writeEvents = (directory: string, name: string, events: readonly CloudEvent[]): void =>
  writeFileSync(join(directory, name), ndjson(events));

/** Events that rename products. */
export const renamed = (ids: readonly number[], suffix: string): readonly CloudEvent[] =>
  ids.map((id) =>
    productUpserted(
      { id, name: `Rain jacket ${id}, ${suffix}`, categoryIds: [12] },
      about(`product-${id}-${suffix}`, "2026-11-20T10:00:00Z"),
    ),
  );
