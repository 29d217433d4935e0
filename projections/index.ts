import type { EventType } from "../src/events/event.ts";

/** Tables of rows that events fold into; everything else of a model is derived from them. */
export type StateTable =
  | "cores"
  | "texts"
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
  /** What has to be replayed to build its rows anew. */
  readonly events: readonly EventType[];
  /** The tables those events write, and no others do. None for what is only derived. */
  readonly states: readonly StateTable[];
}

/** A product and its price are told by each other's events, so neither can be built without the other. */
const product = {
  events: [
    "shop.product.upserted",
    "shop.product.patched",
    "shop.product.deleted",
    "shop.price.changed",
  ],
  states: ["cores", "texts", "prices"],
} as const;

const derived = { events: [], states: [] } as const;

/**
 * The only list of projections. Raise a version when what a projection writes changes: generations written by
 * other versions are built anew from the log.
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
  { name: "order", version: 3, ...derived },
  { name: "recent", version: 1, ...derived },
  { name: "sitemap", version: 2, ...derived },
] as const satisfies readonly Projection[];

type ProjectedType = (typeof projections)[number]["events"][number];
type AssertTrue<T extends true> = T;
/** An event type that no projection folds does not compile. */
export type EveryEventIsFolded = AssertTrue<
  [Exclude<EventType, ProjectedType>] extends [never] ? true : false
>;

/** The versions in one word, as a checkpoint keeps them: `product.1 price.1 …`. */
export const projectionVersions = projections
  .map(({ name, version }) => `${name}.${version}`)
  .join(" ");
