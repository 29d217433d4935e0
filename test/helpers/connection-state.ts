import {
  type Delivery,
  type Ignored,
  type Outcome,
  parseBody,
  type Refused,
  type StateChange,
  type StateReader,
} from "../../src/connectors/delivery.ts";
import {
  type Prepared,
  type PublishedTables,
  prepareEvents,
} from "../../src/connectors/prepare-events.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";

/** State of a connection in memory, as the gateway keeps it in LMDB: rows pass through JSON. */
export const openConnectionState = <Tables>() => {
  const rows = new Map<string, string>();
  const state: StateReader<Tables & PublishedTables> = {
    get: (table, key) => JSON.parse(rows.get(`${table}/${key}`) ?? "null") ?? undefined,
  };
  const commit = (changes: readonly StateChange[]): void => {
    for (const { table, key, row } of changes) {
      if (row === undefined) rows.delete(`${table}/${key}`);
      else rows.set(`${table}/${key}`, JSON.stringify(row));
    }
  };
  return { state, rows, commit };
};

export type Answer = Prepared | Ignored | Refused;

/** A connection whose deliveries are translated one after the other. */
export interface TestConnection {
  readonly rows: ReadonlyMap<string, string>;
  /** @param body JSON, or its text */
  deliver(topic: string, body: unknown, extra?: Partial<Delivery>): Answer;
}

export const openConnection = <C, Tables>(
  translate: (delivery: Delivery, connection: C, state: StateReader<Tables>) => Outcome,
  connection: C,
): TestConnection => {
  const { state, rows, commit } = openConnectionState<Tables>();
  let arrival = 0;
  return {
    rows,
    deliver(topic, body, extra = {}) {
      arrival += 1;
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const arrivedAt = "2026-11-01T12:00:00.000Z";
      const delivery = { topic, headers: {}, body: parseBody(text), arrivedAt, ...extra };
      const outcome = translate(delivery, connection, state);
      if (outcome.outcome !== "translated") return outcome;
      const prefix = `main/test/${arrival}`;
      const source = {
        source: "/connections/main",
        buildId: (_: unknown, n: number) => `${prefix}/${n}`,
      };
      const prepared = prepareEvents(outcome, state, source);
      if (prepared.outcome === "prepared") commit(prepared.changes);
      return prepared;
    },
  };
};

/** Data of an event of a prepared delivery. */
export const membersOf = (event: CloudEvent | undefined): Readonly<Record<string, unknown>> =>
  (event?.data ?? {}) as Readonly<Record<string, unknown>>;
