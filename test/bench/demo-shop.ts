import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { CategoryData, EventData, PageData, ProductData } from "../../src/events/event.ts";
import { packageRoot } from "../../src/package-info.ts";
import { toPlainEvents } from "./plain-events.ts";

/** The events of the demo shop without variants and sales, and its entities after the last event. */
export interface DemoShop {
  readonly events: readonly CloudEvent[];
  readonly products: readonly ProductData[];
  readonly categories: readonly CategoryData[];
  readonly pages: readonly PageData[];
  readonly settings: EventData["shop.settings.updated"];
  /** Time of the last event, in milliseconds since 1970. */
  readonly lastTime: number;
}

export const readDemoShop = (): DemoShop => {
  const file = join(packageRoot, "deploy", "demo", "shop.ndjson");
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const events = toPlainEvents(lines.map((line) => JSON.parse(line) as CloudEvent));
  const settings = events.findLast(({ type }) => type === "shop.settings.updated");
  return {
    events,
    products: entitiesOf(events, "product"),
    categories: entitiesOf(events, "category"),
    pages: entitiesOf(events, "page"),
    settings: settings?.data as DemoShop["settings"],
    lastTime: Math.max(...events.map(({ time }) => Date.parse(time))),
  };
};

/** Collects the latest data of each entity that was not deleted. */
const entitiesOf = <T extends { readonly id: number }>(
  events: readonly CloudEvent[],
  entity: string,
): readonly T[] => {
  const entities = new Map<number, T>();
  for (const { type, data } of events) {
    const { id } = data as T;
    if (type === `shop.${entity}.upserted`) entities.set(id, data as T);
    if (type === `shop.${entity}.deleted`) entities.delete(id);
  }
  return [...entities.values()];
};
