import {
  type Outcome,
  parseBody,
  type Refused,
  refused,
  type StateChange,
  type StateReader,
} from "../connectors/delivery.ts";
import { type Prepared, prepareEvents } from "../connectors/prepare-events.ts";
import { messageOf } from "../errors.ts";
import type { CloudEvent } from "../events/envelope.ts";
import type { StoredDelivery, TranslatedBatch } from "./inbox/inbox.ts";
import { eventsKey, type RefusedRow } from "./inbox/tables.ts";
import type { OpenState, Translator } from "./translators.ts";

/** Time after which a batch takes no more deliveries, because requests wait meanwhile. */
const maxMs = 50;

export interface BatchContext {
  readonly translator: Pick<Translator, "translate">;
  readonly openState: OpenState;
  /** `source` of the events. */
  readonly source: string;
  /** Begin of the event ids: connection and inbox. */
  readonly idPrefix: string;
  /** UTC, as `toUtcTime` returns it. */
  readonly at: string;
}

export interface Batch {
  readonly events: readonly CloudEvent[];
  readonly translated: TranslatedBatch;
  /** An exception of the translator, at the delivery behind `translated.position`. */
  readonly bug?: { readonly arrival: number; readonly error: unknown };
}

/** Translates deliveries one after the other; each reads what the ones before it changed. Stops at a bug. */
export const translateBatch = (
  deliveries: readonly StoredDelivery[],
  before: number,
  context: BatchContext,
): Batch => {
  const collected = collectResults(context);
  const end = performance.now() + maxMs;
  let [position, bytes] = [before, 0];
  let bug: Batch["bug"];
  for (const delivery of deliveries) {
    if (performance.now() > end && position > before) break;
    const result = translateDelivery(delivery, collected.openState, context);
    if (result.outcome === "bug") {
      bug = { arrival: delivery.arrival, error: result.error };
      break;
    }
    collected.add(delivery, result);
    position = delivery.arrival;
    bytes += delivery.bytes;
  }
  const { events, refused, counts } = collected;
  if (events.length > 0) count(counts, eventsKey, events.length);
  const changes = [...collected.changes.values()];
  const translated = { position, bytes, changes, refused, counts, at: context.at };
  return bug ? { events, translated, bug } : { events, translated };
};

const collectResults = (context: BatchContext) => {
  const { openState, put, changes } = openOverlay(context.openState);
  const events: CloudEvent[] = [];
  const refusals = new Map<number, RefusedRow>();
  const counts = new Map<string, number>();
  const add = ({ arrival, topic }: StoredDelivery, result: Exclude<Result, Bug>): void => {
    count(counts, `${topic}/${result.outcome === "prepared" ? "translated" : result.outcome}`);
    if (result.outcome === "refused") {
      refusals.set(arrival, { reason: result.reason, path: result.path, at: context.at });
    }
    if (result.outcome !== "prepared") return;
    events.push(...result.events);
    for (const change of result.changes) put(change);
    for (const [member, times] of result.leftOut) count(counts, `${member}/left_out`, times);
  };
  return { openState, changes, events, refused: refusals, counts, add };
};

export const count = (counts: Map<string, number>, key: string, times = 1): void =>
  void counts.set(key, times + (counts.get(key) ?? 0));

type Result = Prepared | Exclude<Outcome, { readonly outcome: "translated" }> | Bug;

interface Bug {
  readonly outcome: "bug";
  readonly error: unknown;
}

const translateDelivery = (
  { arrival, topic, headers, arrivedAt, body }: StoredDelivery,
  openState: OpenState,
  { translator, source, idPrefix }: BatchContext,
): Result => {
  const parsed = parse(body);
  if ("outcome" in parsed) return parsed;
  try {
    const delivery = { topic, headers, arrivedAt, body: parsed.body };
    const outcome = translator.translate(delivery, openState);
    if (outcome.outcome !== "translated") return outcome;
    const buildId = (_: unknown, position: number): string => `${idPrefix}/${arrival}/${position}`;
    return prepareEvents(outcome, openState(), { source, buildId });
  } catch (error) {
    return { outcome: "bug", error };
  }
};

const parse = (body: Buffer): { readonly body: unknown } | Refused => {
  try {
    return { body: parseBody(body.toString()) };
  } catch (error) {
    return refused("", `is no JSON that can be read: ${messageOf(error)}`);
  }
};

/** Lays the changes of a batch over the stored state. */
export const openOverlay = (openStored: OpenState) => {
  const changes = new Map<string, StateChange>();
  const openState = <Tables>(): StateReader<Tables> => {
    const stored = openStored<Tables>();
    return {
      get<T extends keyof Tables & string>(table: T, key: string) {
        const change = changes.get(`${table}/${key}`);
        // Invariant: translators put only rows of the table.
        return change ? (change.row as Tables[T] | undefined) : stored.get(table, key);
      },
    };
  };
  const put = (change: StateChange): void =>
    void changes.set(`${change.table}/${change.key}`, change);
  return { openState, put, changes };
};
