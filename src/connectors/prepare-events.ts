import { hash } from "node:crypto";
import { defaultContract } from "../events/contract.ts";
import type { CloudEvent } from "../events/envelope.ts";
import {
  type DraftEvent,
  type Refused,
  refused,
  type StateChange,
  type StateReader,
  type Translated,
} from "./delivery.ts";
import { divideEvent, isTooLarge } from "./divide.ts";
import { fitEvent } from "./fit.ts";

/** What the connection published last of one subject. */
export interface PublishedRow {
  readonly digest: string;
  readonly time: string;
  readonly isDeleted?: true;
  /** Variants that were published each by itself, when the product was too large last. */
  readonly variants?: readonly number[];
}

export interface PublishedTables {
  /** By subject. */
  readonly published: PublishedRow;
}

export interface EventSource {
  /** `source` of the events. */
  readonly source: string;
  /** Returns the id of an event. @param position of the event among those of its delivery, from 0 */
  readonly buildId: (event: SubjectEvent, position: number) => string;
  /** Whether an event goes out although its data was published last. */
  readonly isRepeating?: boolean;
}

/** What an import builds an id from. */
export interface SubjectEvent {
  readonly subject: string;
  /** Data as JSON. */
  readonly text: string;
}

/** Events to append, and the state to commit after them. */
export interface Prepared {
  readonly outcome: "prepared";
  readonly events: readonly CloudEvent[];
  readonly changes: readonly StateChange[];
  readonly leftOut: ReadonlyMap<string, number>;
  /** Subjects that the body has, and that no event of it restates. */
  readonly met: readonly string[];
}

/**
 * Prepares the events of a translation: fits them to the contract, divides products that are too large, and drops what the
 * log has already (Contract 10, Once in effect).
 */
export const prepareEvents = (
  translated: Translated,
  state: StateReader<PublishedTables>,
  source: EventSource,
): Prepared | Refused => {
  const fitted = fitEvents(translated, state);
  if ("outcome" in fitted) return fitted;
  const news = openNews(state, source);
  for (const { first, variants, published } of fitted.divided) {
    news.add(first, variants.length > 0 ? listVariants(variants) : undefined);
    for (const variant of variants) news.add(variant);
    if (variants.length === 0) news.forgetVariants(first, published);
  }
  const changes = [...news.rows].map(([key, row]) => ({ table: "published", key, row }));
  return {
    outcome: "prepared",
    events: news.events,
    changes: [...translated.changes, ...changes],
    leftOut: fitted.leftOut,
    met: translated.met ?? [],
  };
};

/** Checks whether the events of a translation fit, and builds none: a third of the time of `prepareEvents`. */
export const checkEvents = (
  translated: Translated,
  state: StateReader<PublishedTables>,
): Prepared | Refused => {
  const fitted = fitEvents(translated, state);
  if ("outcome" in fitted) return fitted;
  const { changes, met = [] } = translated;
  return { outcome: "prepared", events: [], changes, leftOut: fitted.leftOut, met };
};

/** Fits events to the contract, and divides products that are too large. */
const fitEvents = (translated: Translated, state: StateReader<PublishedTables>) => {
  const leftOut = new Map(translated.leftOut);
  const leaveOut = (member: string) => void leftOut.set(member, 1 + (leftOut.get(member) ?? 0));
  const divided = [];
  for (const draft of translated.events) {
    const fitted = fitEvent(draft, leaveOut);
    if ("outcome" in fitted) return fitted;
    const published =
      fitted.type === "shop.product.upserted"
        ? (state.get("published", subjectOf(fitted))?.variants ?? [])
        : [];
    const parts = divideEvent(fitted, published, leaveOut);
    // A product that is not divided was measured, and the contract bounds events of other types far below.
    const isMeasured = parts[0] === fitted && fitted.type !== "shop.variant.upserted";
    if (!isMeasured && parts.some(isTooLarge))
      return refused("", "is larger than an event may be: 1 MiB");
    const [first, ...variants] = parts;
    divided.push({ first, variants, published });
  }
  return { divided, leftOut };
};

const subjectOf = ({ type, data }: DraftEvent): string =>
  defaultContract().definitions.get(type)?.buildSubject(data) ?? "";

const listVariants = (events: readonly DraftEvent[]): readonly number[] =>
  events.flatMap(({ type, data }) => (type === "shop.variant.upserted" ? data.id : []));

/** Collects the events whose subject has other data than was published last, and no newer time. */
const openNews = (
  state: StateReader<PublishedTables>,
  { source, buildId, isRepeating = false }: EventSource,
) => {
  const rows = new Map<string, PublishedRow>();
  const events: CloudEvent[] = [];
  let drafts = 0;
  const add = (event: DraftEvent, variants?: readonly number[]): void => {
    // Also events that are dropped count, so that a retry gives the others the same ids.
    const position = drafts++;
    const subject = subjectOf(event);
    const { type, data, time } = event;
    const existing = rows.get(subject) ?? state.get("published", subject);
    if (existing && existing.time > time) return void rows.set(subject, existing);
    const text = JSON.stringify(data);
    const digest = digestOf(type, text);
    const single = variants ?? existing?.variants;
    rows.set(subject, {
      ...{ digest, time },
      ...(single && { variants: single }),
      ...(type.endsWith(".deleted") && { isDeleted: true }),
    });
    if (existing?.digest === digest && !isRepeating) return;
    const id = buildId({ subject, text }, position);
    events.push({ specversion: "1.0", id, source, type, subject, time, data });
  };
  /** A product that lists its variants again has none by themselves. */
  const forgetVariants = ({ type, data, time }: DraftEvent, ids: readonly number[]): void => {
    if (type !== "shop.product.upserted") return;
    for (const id of ids)
      rows.set(`variant/${data.id}/${id}`, { digest: "", time, isDeleted: true });
  };
  return { rows, events, add, forgetVariants };
};

/** 128 bits: equal digests mean equal data. */
const digestOf = (type: string, text: string): string =>
  hash("sha256", `${type}\n${text}`, "base64url").slice(0, 22);
