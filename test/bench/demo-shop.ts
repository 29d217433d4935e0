import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { CategoryData, EventData, PageData, ProductData } from "../../src/events/event.ts";
import { packageRoot } from "../../src/package-info.ts";

/** The demo shop's history, and what stands at its end. */
export interface DemoShop {
  readonly events: readonly CloudEvent[];
  readonly products: readonly ProductData[];
  readonly categories: readonly CategoryData[];
  readonly pages: readonly PageData[];
  readonly settings: EventData["shop.settings.updated"];
  /** Milliseconds since 1970. */
  readonly lastTime: number;
}

export const readDemoShop = (): DemoShop => {
  const file = join(packageRoot, "deploy", "demo", "shop.ndjson");
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as CloudEvent);
  const settings = events.findLast(({ type }) => type === "shop.settings.updated");
  return {
    events,
    products: standing(events, "product"),
    categories: standing(events, "category"),
    pages: standing(events, "page"),
    settings: settings?.data as DemoShop["settings"],
    lastTime: Math.max(...events.map(({ time }) => Date.parse(time))),
  };
};

/** Entities as last told whole, without those that were deleted. */
const standing = <T extends { readonly id: number }>(
  events: readonly CloudEvent[],
  entity: string,
): readonly T[] => {
  const told = new Map<number, T>();
  for (const { type, data } of events) {
    const { id } = data as T;
    if (type === `shop.${entity}.upserted`) told.set(id, data as T);
    if (type === `shop.${entity}.deleted`) told.delete(id);
  }
  return [...told.values()];
};
