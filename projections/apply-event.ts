import type { ShopEvent } from "../src/events/event.ts";
import type {
  EntityTable,
  EventOutcome,
  EvolveResult,
  RenderedRows,
  RenderedTable,
  Rows,
  TextCleaner,
  Unrendered,
} from "./projection.ts";

type Evolve<R, E, Result = R> = (
  row: R | undefined,
  event: E,
  text: TextCleaner,
) => EvolveResult<Result>;

export const applyToRow =
  <T extends EntityTable, K, R, E extends ShopEvent>(
    name: T,
    keyOf: (event: E) => K,
    evolve: Evolve<R, E>,
  ) =>
  (rows: Readonly<Record<T, Rows<K, R>>>, event: E, text: TextCleaner): EventOutcome => {
    const [table, key] = [rows[name], keyOf(event)];
    const result = evolve(table.get(key), event, text);
    if (result.outcome === "applied") table.put(key, result.row);
    return result;
  };

/** Creates a function that applies an event to the one row of its entity, with fields that are rendered from HTML. */
export const applyToRenderedRow =
  <T extends RenderedTable, K, R, E extends ShopEvent>(
    name: T,
    keyOf: (event: E) => K,
    evolve: Evolve<R, E, Unrendered<R>>,
  ) =>
  (rows: Readonly<Record<T, RenderedRows<K, R>>>, event: E, text: TextCleaner): EventOutcome => {
    const [table, key] = [rows[name], keyOf(event)];
    const result = evolve(table.get(key), event, text);
    if (result.outcome !== "applied") return result;
    const { row, html } = result.row;
    table.put(key, row);
    if (html !== undefined) table.setHtml(key, html === null ? null : { html, event });
    return { outcome: "applied" };
  };
