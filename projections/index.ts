import type { EntityKind } from "./entities.ts";

interface Projection {
  readonly name: string;
  readonly version: number;
  /** Entities whose rows it writes; empty when its rows are derived from those of others. */
  readonly entities: readonly EntityKind[];
}

/**
 * The only list of projections. Raise a version when the rows that a projection writes change: the projector then
 * rebuilds generations of other versions from the log. Product and price share their entities, because each is built from
 * events of the other.
 */
export const projections = [
  { name: "product", version: 17, entities: ["product", "variant", "price"] },
  { name: "price", version: 6, entities: ["product", "variant", "price"] },
  { name: "stock", version: 6, entities: ["stock"] },
  { name: "category", version: 15, entities: ["category"] },
  { name: "page", version: 11, entities: ["page"] },
  { name: "carrier", version: 4, entities: ["carrier"] },
  { name: "shop", version: 6, entities: ["settings", "robots"] },
  { name: "access", version: 4, entities: ["agent"] },
  { name: "search", version: 15, entities: [] },
  { name: "sortIndex", version: 6, entities: [] },
  { name: "changeLog", version: 2, entities: [] },
  { name: "sitemap", version: 5, entities: [] },
  // Raised also when the form of a line of the change feed changes, or what `decode` accepts.
  { name: "feed", version: 1, entities: [] },
] as const satisfies readonly Projection[];

type ProjectedKind = (typeof projections)[number]["entities"][number];
type AssertTrue<T extends true> = T;
/** Fails to compile when an entity has no projection. */
export type AssertEveryEntityHasProjection = AssertTrue<
  [Exclude<EntityKind, ProjectedKind>] extends [never] ? true : false
>;

/** The projection versions as a checkpoint stores them: `product.1 price.1 …`. */
export const projectionVersions = projections
  .map(({ name, version }) => `${name}.${version}`)
  .join(" ");
