import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { closeAfter } from "../../platform/async.ts";
import { appendRows, type NewDelivery, requireMeta } from "./inbox.ts";
import {
  type ConnectionTables,
  connectionsDirectory,
  type DeliveryRow,
  openConnectionTables,
  type RefusedRow,
} from "./tables.ts";

/** Refused deliveries for their operator. Each function opens the inbox for itself, also while a gateway runs. */

export interface RefusedDelivery extends Omit<DeliveryRow, "headers">, RefusedRow {
  readonly connection: string;
  readonly delivery: number;
}

export interface DeliveryWithBody extends DeliveryRow {
  /** Absent unless the delivery was refused. */
  readonly refused: RefusedRow | undefined;
  /** Absent when it was removed for its age or for room. */
  readonly body: Buffer | undefined;
}

/** Lists the connections that have an inbox. */
export const listConnections = (dataDir: string): readonly string[] => {
  const directory = connectionsDirectory(dataDir);
  if (!existsSync(directory)) return [];
  return readdirSync(directory).filter((name) => existsSync(join(directory, name, "data.mdb")));
};

export const withTables = <T>(
  dataDir: string,
  connection: string,
  readOnly: boolean,
  use: (tables: ConnectionTables) => T | Promise<T>,
): Promise<T> => {
  const tables = openConnectionTables(join(connectionsDirectory(dataDir), connection), readOnly);
  return closeAfter({ ...tables, close: tables.env.close }, use);
};

/** Lists the refused deliveries of a connection, newest first. */
export const listRefused = (
  dataDir: string,
  connection: string,
): Promise<readonly RefusedDelivery[]> =>
  withTables(dataDir, connection, true, ({ refused, deliveries }) =>
    [...refused.getRange({ reverse: true })].flatMap(({ key: delivery, value }) => {
      const row = deliveries.get(delivery);
      if (!row) return [];
      const { headers: _, ...members } = row;
      return { connection, delivery, ...members, ...value };
    }),
  );

/** @returns undefined when the inbox does not have the delivery, or not any more */
export const findDelivery = (
  dataDir: string,
  connection: string,
  delivery: number,
): Promise<DeliveryWithBody | undefined> =>
  withTables(dataDir, connection, true, ({ deliveries, bodies, refused }) => {
    const row = deliveries.get(delivery);
    return row && { ...row, refused: refused.get(delivery), body: bodies.get(delivery) };
  });

/** Deliveries of one transaction, for which a gateway waits. */
const retryChunk = 50;

/**
 * Appends deliveries again, as new ones at the end of the inbox, so that a mended translator meets them. They are not
 * refused any more.
 * @param select numbers to translate again
 * @returns the new number of each
 */
export const retryDeliveries = (
  dataDir: string,
  connection: string,
  select: (tables: ConnectionTables) => readonly number[],
): Promise<ReadonlyMap<number, number>> =>
  withTables(dataDir, connection, false, async (tables) => {
    const appended = new Map<number, number>();
    const selected = select(tables);
    for (let first = 0; first < selected.length; first += retryChunk) {
      const chunk = selected.slice(first, first + retryChunk);
      for (const [delivery, arrival] of tables.env.write(() => appendAgain(tables, chunk))) {
        appended.set(delivery, arrival);
      }
      await nextTurn();
    }
    return appended;
  });

const appendAgain = (
  tables: ConnectionTables,
  selected: readonly number[],
): ReadonlyMap<number, number> => {
  const { deliveries, bodies, refused } = tables;
  const rows = new Map<number, NewDelivery>();
  for (const delivery of selected) {
    const [row, body] = [deliveries.get(delivery), bodies.get(delivery)];
    if (!row || !body) continue;
    // The platform's id belongs to the first arrival.
    const { deliveryId: _, ...members } = row;
    rows.set(delivery, { ...members, body });
    refused.removeSync(delivery);
  }
  const arrivals = appendRows(tables, requireMeta(tables), [...rows.values()]);
  return new Map([...rows.keys()].map((delivery, at) => [delivery, arrivals[at] ?? 0]));
};

/** @returns the numbers that were refused, and are not any more */
export const discardDeliveries = (
  dataDir: string,
  connection: string,
  select: (tables: ConnectionTables) => readonly number[],
): Promise<readonly number[]> =>
  withTables(dataDir, connection, false, (tables) =>
    tables.env.write(() =>
      select(tables).filter((delivery) => tables.refused.removeSync(delivery)),
    ),
  );

/** Selects what was refused. */
export const allRefused = ({ refused }: ConnectionTables): readonly number[] => [
  ...refused.getKeys(),
];

/** Selects what was translated, from a number on. */
export const translatedFrom =
  (from: number) =>
  (tables: ConnectionTables): readonly number[] => [
    ...tables.deliveries.getKeys({ start: from, end: requireMeta(tables).position + 1 }),
  ];
