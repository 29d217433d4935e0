import { hash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "lmdb";
import { type Environment, openEnvironment } from "../../lmdb/environment.ts";

/** Delivery as the gateway stores it, without its body. */
export interface DeliveryRow {
  readonly topic: string;
  /** Headers of the platform, with names in lower case, without those that authenticate. */
  readonly headers: Readonly<Record<string, string>>;
  /** UTC, as `toUtcTime` returns it. */
  readonly arrivedAt: string;
  /** The platform's own id of the delivery, by which a repetition is found. */
  readonly deliveryId?: string;
  readonly bytes: number;
}

/** Why a delivery was refused. The row goes when the operator discards or retries it. */
export interface RefusedRow {
  readonly reason: string;
  readonly path: string;
  readonly at: string;
}

/** Counters of an inbox, by the key `inbox`. */
export interface InboxMeta {
  /** Random name of the inbox. Arrival numbers never repeat under one name. */
  readonly inbox: string;
  /** Number of the newest delivery; 0 without any. */
  readonly last: number;
  /** Number of the newest delivery that was translated. */
  readonly position: number;
  /** Bytes of the bodies behind `position`. */
  readonly waitingBytes: number;
  /** Bytes of all bodies. */
  readonly storedBytes: number;
}

/** How often deliveries of a topic had an outcome. */
export interface CountRow {
  readonly count: number;
  readonly lastAt: string;
}

/** Tables of a connection: its inbox, and the state of its translator. */
export interface ConnectionTables {
  readonly env: Environment<unknown, string>;
  /** By arrival number, from 1. */
  readonly deliveries: Database<DeliveryRow, number>;
  /** Raw bytes by arrival number. */
  readonly bodies: Database<Buffer, number>;
  /** Arrival number by `tableKey` of the delivery id. */
  readonly ids: Database<number, string>;
  /** By arrival number. */
  readonly refused: Database<RefusedRow, number>;
  /** By `tableKey` of table and key. */
  readonly state: Database<unknown, string>;
  /** By `{topic}/{outcome}`; members that were left out by `{member}/left_out`; events by `eventsKey`. */
  readonly counts: Database<CountRow, string>;
  readonly meta: Database<InboxMeta, string>;
}

/** Returns the directory of all connections. Each has a directory with its name. */
export const connectionsDirectory = (dataDir: string): string => join(dataDir, "connections");

/**
 * Returns the file that notes what an inbox publishes. It is outside of the directory, so that a copy of the directory that
 * is put back is found to be old.
 */
export const noteFileOf = (directory: string): string => `${directory}.publishing.json`;

/** @throws the error of LMDB when the directory cannot be opened */
export const openConnectionTables = (path: string, readOnly = false): ConnectionTables => {
  if (!readOnly) mkdirSync(path, { recursive: true });
  const env = openEnvironment<unknown, string>({ path, readOnly, encoding: "json" });
  const { root } = env;
  const tables = env.openDatabases(() => ({
    deliveries: root.openDB<DeliveryRow, number>({ name: "deliveries", encoding: "json" }),
    bodies: root.openDB<Buffer, number>({ name: "bodies", encoding: "binary" }),
    ids: root.openDB<number, string>({ name: "ids", encoding: "json" }),
    refused: root.openDB<RefusedRow, number>({ name: "refused", encoding: "json" }),
    state: root.openDB<unknown, string>({ name: "state", encoding: "json" }),
    counts: root.openDB<CountRow, string>({ name: "counts", encoding: "json" }),
    meta: root.openDB<InboxMeta, string>({ name: "meta", encoding: "json" }),
  }));
  return { env, ...tables };
};

/** Key of the count of published events. */
export const eventsKey = "events/published";

/** Splits a key of the counts at its last slash, because topics have slashes. */
export const splitCountKey = (key: string): readonly [name: string, outcome: string] => {
  const slash = key.lastIndexOf("/");
  return [key.slice(0, slash), key.slice(slash + 1)];
};

/** Bounds a key: LMDB accepts 1,978 bytes, and a SKU has any length. */
export const tableKey = (text: string): string =>
  text.length <= 200 ? text : `#${hash("sha256", text, "base64url")}`;
