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

const time = "2026-11-20T09:00:00Z";
const about = (id: string) => ({ id, time, source: "/shops/main" });

/** Ids of the products. */
export const productIds = Array.from({ length: 20 }, (_, at) => 4701 + at);

/** The same events at each call: a full export of the shop. */
export const shopEvents = (): readonly CloudEvent[] => [
  settingsUpdated({ name: "Example Outdoor" }, about("settings-1")),
  categoryUpserted({ id: 12, name: "Jackets" }, about("category-12-1")),
  ...productIds.map((id) =>
    productUpserted({ id, name: `Rain jacket ${id}`, categoryIds: [12] }, about(`product-${id}-1`)),
  ),
  stockChanged({ productId: 4711, quantity: 12 }, about("stock-4711-1")),
];

/** Writes events to a file, one a line. */
export const writeEvents = (directory: string, name: string, events: readonly CloudEvent[]): void =>
  writeFileSync(join(directory, name), ndjson(events));

/** Events that rename products. */
export const renamed = (ids: readonly number[], suffix: string): readonly CloudEvent[] =>
  ids.map((id) =>
    productUpserted(
      { id, name: `Rain jacket ${id}, ${suffix}`, categoryIds: [12] },
      { ...about(`product-${id}-${suffix}`), time: "2026-11-20T10:00:00Z" },
    ),
  );
