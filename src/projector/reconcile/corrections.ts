import { createHash } from "node:crypto";
import { isSameEvent, stampOf } from "../../../projections/field-group.ts";
import type { CloudEvent } from "../../events/envelope.ts";
import type { EventType, ShopEvent } from "../../events/event.ts";
import { type Chunks, checkLines } from "../../events/ndjson.ts";
import { type EventTime, timeText } from "../../events/time.ts";
import type { Stamp } from "../../read-model/schema/rows.ts";
import type { Tables } from "../../read-model/store/store.ts";
import type { EntityDifference } from "./reconcile.ts";
import {
  type EntityKey,
  type KindOfEntity,
  kinds,
  type SnapshotKind,
  tellsOf,
} from "./snapshot-entities.ts";

export interface Correcting {
  /** The generation made of the snapshot alone. */
  readonly snapshot: Tables;
  readonly differences: readonly EntityDifference[];
  /** When the snapshot was taken. */
  readonly moment: EventTime;
  /** What times in the snapshot were compared with. */
  readonly now: number;
}

/**
 * The events that make the model what the snapshot says.
 *
 * Each has the moment of the snapshot as its time and no `sequence`, so that times alone decide: it is newer than all
 * it corrects, whatever sequence that had, and older than whatever the shop told after the snapshot. Its id follows
 * from what it says, so that the log takes the same correction once.
 * @param chunks the snapshot again: corrections say what it says, word for word
 */
export async function* corrections(
  chunks: Chunks,
  correcting: Correcting,
): AsyncGenerator<CloudEvent> {
  const { snapshot, differences, moment, now } = correcting;
  const wanted = wantedFrom(correcting);
  for await (const line of checkLines(chunks, now)) {
    if (!line.ok || !wanted.take(line.event)) continue;
    yield correction(line.event.type, line.event.subject, wholeOf(line.event), moment);
  }
  for (const { kind, key, finding } of differences) {
    if (finding === "newer") continue;
    const deletion = finding === "left_over" && kindNamed(kind).deletion;
    if (deletion) yield correction(deletion, `${kind}/${key}`, { id: key }, moment);
    if (kind === "price") yield priceCorrection(snapshot, key, moment);
  }
}

const correction = (
  type: EventType,
  subject: string,
  data: object,
  moment: EventTime,
): CloudEvent => {
  const time = timeText(moment);
  const said = JSON.stringify([time, type, subject, data]);
  return {
    specversion: "1.0",
    id: `reconcile-${createHash("sha256").update(said).digest("base64url")}`,
    source: "/vitrine/reconcile",
    type,
    subject,
    time,
    datacontenttype: "application/json",
    data,
  };
};

const priceCorrection = (snapshot: Tables, key: EntityKey, moment: EventTime): CloudEvent => {
  const { content } = kindNamed("price").known(snapshot, key);
  return correction("shop.price.changed", `price/${key}`, { productId: key, ...content }, moment);
};

/** Without the price, which is compared, and corrected, by itself: another event may have told it since. */
const wholeOf = (event: ShopEvent): object => {
  if (event.type !== "shop.product.upserted") return event.data;
  const { price: _, ...core } = event.data;
  return core;
};

/** Which events of the snapshot are corrections: those that told last of what is missing or different. */
const wantedFrom = ({ snapshot, differences }: Correcting) => {
  const wanted = new Set<string>();
  for (const { kind, key, finding } of differences) {
    const isTold = finding === "missing" || finding === "different";
    if (isTold && kind !== "price") wanted.add(`${kind}/${key}`);
  }
  return {
    /** True once for each. */
    take(event: ShopEvent): boolean {
      const told = tellsOf(event);
      if (!told || !wanted.has(`${told.kind}/${told.key}`)) return false;
      const { stamps } = kindNamed(told.kind).known(snapshot, told.key);
      return (
        stamps.some((stamp) => isOf(stamp, event)) && wanted.delete(`${told.kind}/${told.key}`)
      );
    },
  };
};

const isOf = (stamp: Stamp, event: ShopEvent): boolean => isSameEvent(stamp, stampOf(event));

const kindNamed = (kind: SnapshotKind): KindOfEntity =>
  kinds.find((each) => each.kind === kind) as KindOfEntity;
