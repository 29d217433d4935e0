import { evolveAgent } from "../../../projections/agent.ts";
import { evolveCarrier } from "../../../projections/carrier.ts";
import { evolveCategory } from "../../../projections/category.ts";
import type { EvolveResult, HtmlRenderer } from "../../../projections/field-group.ts";
import { withLazyFields } from "../../../projections/lazy-fields.ts";
import { evolvePage } from "../../../projections/page.ts";
import {
  clearProductPrice,
  evolvePrice,
  evolvePriceFromProduct,
} from "../../../projections/price.ts";
import { evolveCore } from "../../../projections/product.ts";
import { evolveRobots, evolveSettings } from "../../../projections/shop.ts";
import { evolveStock } from "../../../projections/stock.ts";
import type { EventOfType, ShopEvent } from "../../events/event.ts";
import type { TrackedTable, UnitOfWork } from "./unit-of-work.ts";

/** Outcome of an event. A `refused` event becomes a dead letter. */
export type EvolveOutcome =
  | { readonly outcome: "applied" | "stale" | "repeated" }
  | { readonly outcome: "refused"; readonly reason: string; readonly field: string };

/** Applies one event to the rows of its entity. An event type that is missing here does not compile. */
export const evolve = (
  unit: UnitOfWork,
  event: ShopEvent,
  rendering: HtmlRenderer,
): EvolveOutcome => {
  switch (event.type) {
    case "shop.product.upserted":
    case "shop.product.patched":
      return evolveProduct(unit, event, rendering);
    case "shop.product.deleted":
      return evolveDeletion(unit, event, rendering);
    case "shop.price.changed":
      return evolveRow(unit.prices, event.data.productId, (row) => evolvePrice(row, event));
    case "shop.stock.changed":
      return evolveRow(unit.stocks, event.data.productId, (row) => evolveStock(row, event));
    case "shop.category.upserted":
    case "shop.category.deleted":
      return evolveRow(unit.categoryStates, event.data.id, (row) =>
        evolveCategory(row, event, rendering),
      );
    case "shop.page.upserted":
    case "shop.page.deleted":
      return evolveRow(unit.pages, event.data.id, (row) => evolvePage(row, event, rendering));
    case "shop.carrier.upserted":
    case "shop.carrier.deleted":
      return evolveRow(unit.carriers, event.data.id, (row) => evolveCarrier(row, event, rendering));
    case "shop.settings.updated":
      return evolveRow(unit.settings, "settings", (row) => evolveSettings(row, event, rendering));
    case "shop.robots.updated":
      return evolveRow(unit.robots, "robots", (row) => evolveRobots(row, event));
    case "agent.token.regenerated":
    case "agent.token.revoked":
      return evolveRow(unit.agents, event.data.label, (row) => evolveAgent(row, event));
    default:
      return event satisfies never;
  }
};

const evolveRow = <K extends string | number, R>(
  table: TrackedTable<K, R>,
  key: K,
  evolveStored: (row: R | undefined) => EvolveResult<R>,
): EvolveOutcome => {
  const result = evolveStored(table.get(key));
  if (result.outcome === "applied") table.put(key, result.row);
  return result;
};

/** Applies an event to core and price, which are two field groups: one may be stale without the other. */
const evolveProduct = (
  unit: UnitOfWork,
  event: EventOfType<"shop.product.upserted" | "shop.product.patched">,
  rendering: HtmlRenderer,
): EvolveOutcome => {
  const { id } = event.data;
  const price = evolvePriceFromProduct(unit.prices.get(id), event);
  if (price?.outcome === "refused") return price;
  if (price?.outcome === "applied") unit.prices.put(id, price.row);
  const core = evolveCoreAndTexts(unit, event, rendering);
  return price?.outcome === "applied" ? price : core;
};

/** Deletes the core and clears the price. A stale delete leaves the price unchanged. */
const evolveDeletion = (
  unit: UnitOfWork,
  event: EventOfType<"shop.product.deleted">,
  rendering: HtmlRenderer,
): EvolveOutcome => {
  const core = evolveCoreAndTexts(unit, event, rendering);
  if (core.outcome === "applied") {
    evolveRow(unit.prices, event.data.id, (row) => clearProductPrice(row, event));
  }
  return core;
};

const evolveCoreAndTexts = (
  unit: UnitOfWork,
  event: EventOfType<"shop.product.upserted" | "shop.product.patched" | "shop.product.deleted">,
  rendering: HtmlRenderer,
): EvolveOutcome => {
  const { id } = event.data;
  const result = evolveCore(unit.productCores.get(id), event, rendering);
  if (result.outcome !== "applied") return result;
  const { core, html } = result.row;
  unit.productCores.put(id, core);
  if (html === null) unit.productTexts.remove(id);
  else if (html !== undefined) {
    const text = {
      description: () => rendering.toPlainText(html),
      markdown: () => rendering.markdown(html),
    };
    unit.productTexts.put(id, withLazyFields({}, text));
  }
  return result;
};
