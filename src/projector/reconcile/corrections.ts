import { createHash } from "node:crypto";
import { entities } from "../../../projections/entities.ts";
import { isSameEvent, versionOf } from "../../../projections/field-group.ts";
import { type EntityKey, formatSubject } from "../../../projections/subjects.ts";
import type { CloudEvent } from "../../events/envelope.ts";
import type { EventType, ShopEvent } from "../../events/event.ts";
import { type ByteStream, validateNdjson } from "../../events/ndjson.ts";
import { type EventTime, formatEventTime } from "../../events/time.ts";
import { productOfKey, variantOfKey } from "../../read-model/schema/keys.ts";
import type { ReadTables } from "../../read-model/store/store.ts";
import type { EntityDifference } from "./reconcile.ts";
import { entityOf, type SnapshotRef, snapshotEntities } from "./snapshot-entities.ts";

export interface CorrectionInput {
  /** Rows of the generation loaded from the snapshot. */
  readonly snapshot: ReadTables;
  readonly differences: readonly EntityDifference[];
  /** Time at which the snapshot was taken. */
  readonly asOf: EventTime;
  /** Current time for the check of event times, milliseconds since 1970. */
  readonly now: number;
}

/**
 * Builds the events that make the model equal to the snapshot.
 *
 * Each event has the snapshot's time and no `sequence`, so that event times alone decide its version: it is newer than
 * every event it corrects and older than every event published after the snapshot. Its id is a hash of its content, so
 * that the log stores the same correction once.
 * @param chunks the snapshot file, read a second time: corrections copy its event data unchanged
 */
export async function* buildCorrections(
  chunks: ByteStream,
  input: CorrectionInput,
): AsyncGenerator<CloudEvent> {
  const { snapshot, differences, asOf, now } = input;
  const filter = correctionFilter(input);
  for await (const line of validateNdjson(chunks, now)) {
    if (!line.ok || !filter.take(line.event)) continue;
    yield correction(line.event.type, line.event.subject, withoutPrice(line.event), asOf);
  }
  for (const { kind, key, finding } of differences) {
    if (finding === "newer") continue;
    const deletion = finding === "left_over" && snapshotEntities[kind].deletion;
    if (deletion) yield correction(deletion, formatSubject({ kind, key }), toIds(key), asOf);
    else if (kind === "variant" || kind === "price") yield restate({ kind, key }, snapshot, asOf);
  }
}

const toIds = (key: EntityKey): object =>
  typeof key === "string" ? { productId: productOfKey(key), id: variantOfKey(key) } : { id: key };

const correction = (
  type: EventType,
  subject: string,
  data: object,
  asOf: EventTime,
): CloudEvent => {
  const time = formatEventTime(asOf);
  const content = JSON.stringify([time, type, subject, data]);
  return {
    specversion: "1.0",
    id: `reconcile-${createHash("sha256").update(content).digest("base64url")}`,
    source: "/vitrine/reconcile",
    type,
    subject,
    time,
    datacontenttype: "application/json",
    data,
  };
};

/** Builds the event of a price or variant, which products of the snapshot may state. */
const restate = (ref: SnapshotRef, snapshot: ReadTables, asOf: EventTime): CloudEvent => {
  const { kind, key } = ref;
  const ids = kind === "price" ? { productId: key } : toIds(key);
  const data = { ...ids, ...snapshotEntities[kind].read(snapshot, key).content };
  return correction(entities[kind].snapshot, formatSubject(ref), data, asOf);
};

/** Drops a product's prices, because they are corrected separately: a later event may have changed them. */
const withoutPrice = (event: ShopEvent): object => {
  if (event.type !== "shop.product.upserted") return event.data;
  const { price: _, listPrice: __, priorPrice: ___, sales: ____, ...core } = event.data;
  return core;
};

/** Selects the snapshot's latest event of each missing or different entity. */
const correctionFilter = ({ snapshot, differences }: CorrectionInput) => {
  const pending = new Set<string>();
  for (const { finding, ...ref } of differences) {
    const isCorrectable = finding === "missing" || finding === "different";
    if (isCorrectable && ref.kind !== "price" && ref.kind !== "variant")
      pending.add(formatSubject(ref));
  }
  return {
    /** @returns true once for each selected entity */
    take(event: ShopEvent): boolean {
      const entity = entityOf(event);
      if (!entity || !pending.has(event.subject)) return false;
      const { versions } = snapshotEntities[entity.kind].read(snapshot, entity.key);
      return (
        versions.some((version) => isSameEvent(version, versionOf(event))) &&
        pending.delete(event.subject)
      );
    },
  };
};
