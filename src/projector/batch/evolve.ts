import { evolveAgent } from "../../../projections/agent.ts";
import { evolveCarrier } from "../../../projections/carrier.ts";
import { evolveCategory } from "../../../projections/category.ts";
import type { Evolved, Rendering } from "../../../projections/field-group.ts";
import { withLater } from "../../../projections/lazy-fields.ts";
import { evolvePage } from "../../../projections/page.ts";
import {
  clearPriceOfProduct,
  evolvePrice,
  evolvePriceOfProduct,
} from "../../../projections/price.ts";
import { evolveCore } from "../../../projections/product.ts";
import { evolveRobots, evolveSettings } from "../../../projections/shop.ts";
import { evolveStock } from "../../../projections/stock.ts";
import type { EventOfType, ShopEvent } from "../../events/event.ts";
import type { Batch, BatchTable } from "./unit-of-work.ts";

/** How an event ended; `refused` becomes a dead letter. */
export type Outcome =
  | { readonly outcome: "applied" | "stale" | "repeated" }
  | { readonly outcome: "refused"; readonly reason: string; readonly field: string };

/** Folds one event into the rows it is about. A new event type that is not told here does not compile. */
export const fold = (batch: Batch, event: ShopEvent, rendering: Rendering): Outcome => {
  switch (event.type) {
    case "shop.product.upserted":
    case "shop.product.patched":
      return foldProduct(batch, event, rendering);
    case "shop.product.deleted":
      return foldDeletion(batch, event, rendering);
    case "shop.price.changed":
      return evolveRow(batch.prices, event.data.productId, (row) => evolvePrice(row, event));
    case "shop.stock.changed":
      return evolveRow(batch.stocks, event.data.productId, (row) => evolveStock(row, event));
    case "shop.category.upserted":
    case "shop.category.deleted":
      return evolveRow(batch.categoryStates, event.data.id, (row) =>
        evolveCategory(row, event, rendering),
      );
    case "shop.page.upserted":
    case "shop.page.deleted":
      return evolveRow(batch.pages, event.data.id, (row) => evolvePage(row, event, rendering));
    case "shop.carrier.upserted":
    case "shop.carrier.deleted":
      return evolveRow(batch.carriers, event.data.id, (row) =>
        evolveCarrier(row, event, rendering),
      );
    case "shop.settings.updated":
      return evolveRow(batch.settings, "settings", (row) => evolveSettings(row, event, rendering));
    case "shop.robots.updated":
      return evolveRow(batch.robots, "robots", (row) => evolveRobots(row, event));
    case "agent.token.regenerated":
    case "agent.token.revoked":
      return evolveRow(batch.agents, event.data.label, (row) => evolveAgent(row, event));
    default:
      return event satisfies never;
  }
};

const evolveRow = <K extends string | number, R>(
  table: BatchTable<K, R>,
  key: K,
  evolve: (row: R | undefined) => Evolved<R>,
): Outcome => {
  const evolved = evolve(table.get(key));
  if (evolved.outcome === "applied") table.put(key, evolved.row);
  return evolved;
};

/** Core and price are two field groups: either may be stale without the other. */
const foldProduct = (
  batch: Batch,
  event: EventOfType<"shop.product.upserted" | "shop.product.patched">,
  rendering: Rendering,
): Outcome => {
  const { id } = event.data;
  const price = evolvePriceOfProduct(batch.prices.get(id), event);
  if (price?.outcome === "refused") return price;
  if (price?.outcome === "applied") batch.prices.put(id, price.row);
  const core = foldCore(batch, event, rendering);
  return price?.outcome === "applied" ? price : core;
};

/** A delete that is itself stale takes no price with it. */
const foldDeletion = (
  batch: Batch,
  event: EventOfType<"shop.product.deleted">,
  rendering: Rendering,
): Outcome => {
  const core = foldCore(batch, event, rendering);
  if (core.outcome === "applied") {
    evolveRow(batch.prices, event.data.id, (row) => clearPriceOfProduct(row, event));
  }
  return core;
};

const foldCore = (
  batch: Batch,
  event: EventOfType<"shop.product.upserted" | "shop.product.patched" | "shop.product.deleted">,
  rendering: Rendering,
): Outcome => {
  const { id } = event.data;
  const evolved = evolveCore(batch.cores.get(id), event, rendering);
  if (evolved.outcome !== "applied") return evolved;
  const { core, html } = evolved.row;
  batch.cores.put(id, core);
  if (html === null) batch.texts.remove(id);
  else if (html !== undefined) {
    const text = {
      description: () => rendering.text(html),
      markdown: () => rendering.markdown(html),
    };
    batch.texts.put(id, withLater({}, text));
  }
  return evolved;
};
