import type { EventType } from "../src/events/event.ts";

/** Tables that events are folded into. Every other table of a model is derived from them. */
export type EntityTable =
  | "productCores"
  | "productTexts"
  | "prices"
  | "stocks"
  | "categoryStates"
  | "pages"
  | "carriers"
  | "settings"
  | "robots"
  | "agents";

export interface Projection {
  readonly name: string;
  readonly version: number;
  /** Event types that a replay has to read to rebuild the rows. */
  readonly events: readonly EventType[];
  /** Tables that these events alone write; empty when the projection's rows are derived. */
  readonly states: readonly EntityTable[];
}

/** Product and price share their events, because each is built from events of the other. */
const product = {
  events: [
    "shop.product.upserted",
    "shop.product.patched",
    "shop.product.deleted",
    "shop.price.changed",
  ],
  states: ["productCores", "productTexts", "prices"],
} as const;

const derived = { events: [], states: [] } as const;

/**
 * The only list of projections. Raise a version when the rows that a projection writes change: the projector then
 * rebuilds generations of other versions from the log.
 */
export const projections = [
  { name: "product", version: 10, ...product },
  { name: "price", version: 3, ...product },
  { name: "stock", version: 3, events: ["shop.stock.changed"], states: ["stocks"] },
  {
    name: "category",
    version: 11,
    events: ["shop.category.upserted", "shop.category.deleted"],
    states: ["categoryStates"],
  },
  {
    name: "page",
    version: 9,
    events: ["shop.page.upserted", "shop.page.deleted"],
    states: ["pages"],
  },
  {
    name: "carrier",
    version: 3,
    events: ["shop.carrier.upserted", "shop.carrier.deleted"],
    states: ["carriers"],
  },
  {
    name: "shop",
    version: 3,
    events: ["shop.settings.updated", "shop.robots.updated"],
    states: ["settings", "robots"],
  },
  {
    name: "access",
    version: 3,
    events: ["agent.token.regenerated", "agent.token.revoked"],
    states: ["agents"],
  },
  { name: "search", version: 9, ...derived },
  { name: "sortIndex", version: 3, ...derived },
  { name: "changeLog", version: 1, ...derived },
  { name: "sitemap", version: 2, ...derived },
] as const satisfies readonly Projection[];

type ProjectedType = (typeof projections)[number]["events"][number];
type AssertTrue<T extends true> = T;
/** Fails to compile when an event type has no projection. */
export type AssertEveryEventHasProjection = AssertTrue<
  [Exclude<EventType, ProjectedType>] extends [never] ? true : false
>;

/** The projection versions as a checkpoint stores them: `product.1 price.1 …`. */
export const projectionVersions = projections
  .map(({ name, version }) => `${name}.${version}`)
  .join(" ");
