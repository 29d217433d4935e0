import type { DecodedEvent, EventOfType, EventType, ShopEvent } from "../src/events/event.ts";
import { toRowKey } from "../src/read-model/schema/keys.ts";
import { evolveAgent } from "./agent.ts";
import { applyToRenderedRow, applyToRow } from "./apply-event.ts";
import { evolveCarrier } from "./carrier.ts";
import { evolveCategory } from "./category.ts";
import { evolvePage } from "./page.ts";
import { applyDeletion, applyProduct } from "./product.ts";
import type {
  ApplyEvent,
  EntityRows,
  EntityTable,
  EventOutcome,
  TextCleaner,
} from "./projection.ts";
import { evolveRobots, evolveSettings } from "./shop.ts";
import { evolveStock } from "./stock.ts";
import { applyPrice, applyVariant } from "./variants.ts";

/** One kind of entity. Its name begins the subject of its events: `product/4711`, `settings`. */
interface Entity {
  readonly events: { readonly [T in EventType]?: ApplyEvent<T> };
  /** Tables that its events write. All rows of one entity have the same key. */
  readonly tables: readonly EntityTable[];
  /**
   * Key of its rows: the number, the pair of numbers `4711/90001` or the text after the first slash of the subject, or the subject
   * where there is no slash.
   */
  readonly key: "id" | "pair" | "idOrPair" | "label" | "subject";
  /** Event type that deletes it; null when nothing does. */
  readonly deletion: EventType | null;
  /** Event type that states it in a snapshot of the shop; null when a snapshot does not contain it. */
  readonly snapshot: EventType | null;
  /** Entity that it is replayed with, because events of one can change the outcome of events of the other. */
  readonly replayUnit: string;
  /** Cached replies that its changes make stale: those that show a product, or all. */
  readonly invalidates: "product" | "all";
}

const applyCategory = applyToRenderedRow("categoryStates", ({ data }) => data.id, evolveCategory);
const applyPage = applyToRenderedRow("pages", ({ data }) => data.id, evolvePage);
const applyCarrier = applyToRow("carriers", ({ data }) => data.id, evolveCarrier);
const applyAgent = applyToRow("agents", ({ data }) => data.label, evolveAgent);

/**
 * The only list of entities, in the sequence of reports. Code that treats each kind of entity reads this list, or has a
 * type that demands a member for every kind: a forgotten entity, event type or table does not compile.
 */
export const entities = {
  settings: {
    events: {
      "shop.settings.updated": applyToRow("settings", () => "settings", evolveSettings),
    },
    tables: ["settings"],
    key: "subject",
    deletion: null,
    snapshot: "shop.settings.updated",
    replayUnit: "settings",
    invalidates: "all",
  },
  robots: {
    events: {
      "shop.robots.updated": applyToRow("robots", () => "robots", evolveRobots),
    },
    tables: ["robots"],
    key: "subject",
    deletion: null,
    snapshot: "shop.robots.updated",
    replayUnit: "robots",
    invalidates: "all",
  },
  category: {
    events: { "shop.category.upserted": applyCategory, "shop.category.deleted": applyCategory },
    tables: ["categoryStates"],
    key: "id",
    deletion: "shop.category.deleted",
    snapshot: "shop.category.upserted",
    replayUnit: "category",
    invalidates: "all",
  },
  page: {
    events: { "shop.page.upserted": applyPage, "shop.page.deleted": applyPage },
    tables: ["pages"],
    key: "id",
    deletion: "shop.page.deleted",
    snapshot: "shop.page.upserted",
    replayUnit: "page",
    invalidates: "all",
  },
  carrier: {
    events: { "shop.carrier.upserted": applyCarrier, "shop.carrier.deleted": applyCarrier },
    tables: ["carriers"],
    key: "id",
    deletion: "shop.carrier.deleted",
    snapshot: "shop.carrier.upserted",
    replayUnit: "carrier",
    invalidates: "all",
  },
  product: {
    events: {
      "shop.product.upserted": applyProduct,
      "shop.product.patched": applyProduct,
      "shop.product.deleted": applyDeletion,
    },
    tables: ["productCores", "prices", "productTexts", "productPages", "variantLists"],
    key: "id",
    deletion: "shop.product.deleted",
    snapshot: "shop.product.upserted",
    replayUnit: "product",
    invalidates: "product",
  },
  variant: {
    events: { "shop.variant.upserted": applyVariant, "shop.variant.deleted": applyVariant },
    tables: ["variantStates"],
    key: "pair",
    deletion: "shop.variant.deleted",
    snapshot: "shop.variant.upserted",
    replayUnit: "product",
    invalidates: "product",
  },
  price: {
    events: { "shop.price.changed": applyPrice },
    tables: ["prices"],
    key: "idOrPair",
    deletion: null,
    snapshot: "shop.price.changed",
    replayUnit: "product",
    invalidates: "product",
  },
  stock: {
    events: {
      "shop.stock.changed": applyToRow("stocks", ({ data }) => toRowKey(data), evolveStock),
    },
    tables: ["stocks"],
    key: "idOrPair",
    deletion: null,
    snapshot: "shop.stock.changed",
    replayUnit: "stock",
    invalidates: "product",
  },
  agent: {
    events: { "agent.token.regenerated": applyAgent, "agent.token.revoked": applyAgent },
    tables: ["agents"],
    key: "label",
    deletion: null,
    snapshot: null,
    replayUnit: "agent",
    invalidates: "all",
  },
} as const satisfies Readonly<Record<string, Entity>>;

type Entities = typeof entities;
export type EntityKind = keyof Entities;
export type EventTypeOf<K extends EntityKind> = Extract<keyof Entities[K]["events"], EventType>;

export type SnapshotKind = {
  readonly [K in EntityKind]: Entities[K]["snapshot"] extends null ? never : K;
}[EntityKind];

/** Tables whose changes make replies about a product stale. */
export type ProductTable = {
  readonly [K in EntityKind]: Entities[K]["invalidates"] extends "product"
    ? Entities[K]["tables"][number]
    : never;
}[EntityKind];

type AssertNone<T extends never> = T;
/** Fails to compile when no entity has one of the tables. */
export type AssertEveryTableHasEntity = AssertNone<
  Exclude<EntityTable, Entities[EntityKind]["tables"][number]>
>;
/** Fails to compile when an entity names an event type of another entity. */
export type AssertOwnEvents = AssertNone<
  {
    readonly [K in EntityKind]: Exclude<
      Entities[K]["deletion" | "snapshot"],
      EventTypeOf<K> | null
    >;
  }[EntityKind]
>;
/** Fails to compile when an entity is replayed with one that does not exist. */
export type AssertReplayUnits = AssertNone<Exclude<Entities[EntityKind]["replayUnit"], EntityKind>>;

/** Does not compile when an event type belongs to no entity. */
const applyByType: { readonly [T in EventType]: ApplyEvent<T> } = {
  ...entities.settings.events,
  ...entities.robots.events,
  ...entities.category.events,
  ...entities.page.events,
  ...entities.carrier.events,
  ...entities.product.events,
  ...entities.variant.events,
  ...entities.price.events,
  ...entities.stock.events,
  ...entities.agent.events,
};

export const applyEvent = <T extends EventType>(
  rows: EntityRows,
  event: DecodedEvent<T>,
  text: TextCleaner,
): EventOutcome => applyByType[event.type](rows, event, text);

export const isEventOf = <K extends EntityKind>(
  kind: K,
  event: ShopEvent,
): event is EventOfType<EventTypeOf<K>> => Object.hasOwn(entities[kind].events, event.type);
