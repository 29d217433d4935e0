import type { SnapshotKind } from "../../../projections/entities.ts";
import type { EntityKey } from "../../../projections/subjects.ts";
import type { EventType } from "../../events/event.ts";
import type { EventVersion } from "../../read-model/schema/rows.ts";
import type { ReadTables } from "../../read-model/store/store.ts";

export interface EntityState {
  /** Null when the entity is missing or deleted. */
  readonly content: object | null;
  /** Versions of the events that wrote it last: several where several event types write it. */
  readonly versions: readonly EventVersion[];
}

export interface SnapshotEntities {
  readonly kind: SnapshotKind;
  /** Content of an entity without an event (no price, not orderable); null when it has none. */
  readonly defaultContent: object | null;
  /** Event type that deletes an entity; null where the contract has none. */
  readonly deletion: EventType | null;
  read(stored: ReadTables, key: EntityKey): EntityState;
  readAll(stored: ReadTables): Iterable<readonly [EntityKey, EntityState]>;
}

export const absent: EntityState = { content: null, versions: [] };
