/** An event log in memory that misbehaves, by a seed, in every way that its port allows. */
import { setTimeout as delay } from "node:timers/promises";
import { VitrineError } from "../../src/errors.ts";
import type { EventLog, LogRecord, ReadOptions } from "../../src/event-log/event-log.ts";
import { assertReadableAfter } from "../../src/event-log/read-position.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { Chance } from "../bench/seeded.ts";
import { chanceOf } from "./effort.ts";
import { recordOf } from "./events.ts";

/** The records of a log from its creation until its replacement. */
export interface History {
  readonly created: string;
  readonly records: readonly LogRecord[];
}

export interface SimulatedLog extends EventLog {
  /** All histories, the newest last. */
  readonly histories: readonly History[];
  appendEvents(...events: readonly CloudEvent[]): void;
  /** Makes every call fail until `heal`, which reports a reconnect. */
  cut(): void;
  heal(): void;
  /** Loses the newest events, as a broker restored from an older copy; other events take their sequences. */
  rollBack(lost: number, ...others: readonly CloudEvent[]): void;
  /** Creates the log again under the same name. */
  recreate(...events: readonly CloudEvent[]): void;
  /** Stops all faults. */
  behave(): void;
}

const address = "simulated log";
const isAway = (error: unknown) => error instanceof VitrineError && error.code === "event_log";
const away = () => new VitrineError("event_log", `${address}: not connected`);
const recordsOf = (events: readonly CloudEvent[], after: number): readonly LogRecord[] =>
  events.map((event, at) => recordOf(event, after + at + 1));

/**
 * Random choices for each kind of call and each of its repetitions, so that one kind does not depend on the
 * number of other calls, which depends on time.
 */
const choices = (turn: number): ((call: string) => Chance) => {
  const times = new Map<string, number>();
  return (call) => {
    const before = times.get(call) ?? 0;
    times.set(call, before + 1);
    return chanceOf(`simulated log, ${call}, ${before}`, turn);
  };
};

/** @param turn number of the log for the current seed */
export const simulateLog = (turn: number): SimulatedLog => {
  const choicesFor = choices(turn);
  const histories: History[] = [{ created: instant(0), records: [] }];
  const listeners = new Set<() => void>();
  let isCut = false;
  /** Number of connections so far. */
  let connections = 1;
  let isFaulty = true;
  const current = () => histories.at(-1) as History;
  const happens = (chance: Chance, oneIn: number): boolean => isFaulty && chance.below(oneIn) === 0;
  const identity = () => ({ name: "SIM", created: current().created });
  const bounds = () => ({ first: 1, last: current().records.length, isComplete: true });
  /** Answers with a delay, or fails. */
  const answer = async <T>(call: string, compute: () => T): Promise<T> => {
    const chance = choicesFor(call);
    await delay(isFaulty ? chance.below(3) : 0);
    if (isCut || happens(chance, 12)) throw away();
    return compute();
  };
  const replace = (records: readonly LogRecord[], created = current().created): void => {
    histories.push({ created, records });
    reconnect();
  };
  const reconnect = (): void => {
    connections += 1;
    for (const listener of [...listeners]) listener();
  };
  /**
   * Begins a read, or resumes it over the current connection.
   * @returns the verified connection; undefined for a follower while the log is unreachable
   */
  const resume = async (
    { after, follow, verify }: ReadOptions,
    latest: readonly LogRecord[],
  ): Promise<number | undefined> => {
    const connection = connections;
    assertReadableAfter(address, bounds(), latest.at(-1)?.sequence ?? after);
    try {
      await verify?.({ identity: identity(), isResumed: true, latest });
      return connection;
    } catch (error) {
      if (!follow || !isAway(error)) throw error;
      return undefined;
    }
  };
  /** Returns records after a sequence, perhaps with some before it; none when the log has no more. */
  const nextChunk = (after: number, chance: Chance): readonly LogRecord[] => {
    const redelivered = happens(chance, 4) ? chance.below(5) : 0;
    const from = Math.max(0, after - redelivered);
    const chunk = current().records.slice(from, after + 1 + chance.below(7));
    return chunk.length <= after - from ? [] : chunk;
  };
  /** A history that is too short is noticed too, except by a follower. */
  const isOtherThan = ({ created, records }: History, follow: boolean): boolean =>
    current().created !== created || (!follow && current().records.length < records.length);
  /** Only a follower waits for an unreachable log. */
  const failIfUnreachable = (chance: Chance): void => {
    if (isCut || happens(chance, 20)) throw away();
  };
  /** Waits for the log, and perhaps fails, also with an error that only a comparison explains. */
  const wait = async (chance: Chance, begun: History, { follow }: ReadOptions): Promise<void> => {
    await delay(isFaulty ? chance.below(4) : 1);
    const isBroken = isOtherThan(begun, follow) && chance.below(2) === 0;
    if (isBroken || happens(chance, 40))
      throw new VitrineError("divergence", "simulated: it broke off");
    if (!follow) failIfUnreachable(chance);
  };
  async function* read(options: ReadOptions) {
    const { after, follow, signal } = options;
    const begun = current();
    let verified = await resume(options, []);
    let latest: readonly LogRecord[] = [];
    const choicesAt = (at: number) => choicesFor(`reading on from ${at} of ${histories.length}`);
    let chance = choicesAt(after);
    for (let at = after; !signal?.aborted && (follow || at < begun.records.length); ) {
      await wait(chance, begun, options);
      // The verification takes time, in which the log may change again.
      if (verified !== connections) verified = await resume(options, latest);
      if (isCut || verified !== connections) continue;
      const chunk = nextChunk(at, chance);
      if (chunk.length === 0) continue;
      latest = chunk;
      at = chunk.at(-1)?.sequence ?? at;
      yield chunk;
      chance = choicesAt(at);
    }
  }
  return {
    address,
    histories,
    identity: () => answer("identity", identity),
    bounds: () => answer("bounds", bounds),
    get: (sequence) => answer(`event ${sequence}`, () => current().records[sequence - 1]),
    latestOfSubject: async () => undefined,
    read,
    find: async () => undefined,
    append: () => Promise.reject(away()),
    onReconnect(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reopen: async () => undefined,
    close: async () => undefined,
    appendEvents(...events) {
      const { created, records } = current();
      // The same history, longer: records that were read stay unchanged.
      histories[histories.length - 1] = {
        created,
        records: [...records, ...recordsOf(events, records.length)],
      };
    },
    cut() {
      isCut = true;
    },
    heal() {
      isCut = false;
      reconnect();
    },
    rollBack(lost, ...others) {
      const kept = current().records.slice(0, Math.max(0, current().records.length - lost));
      replace([...kept, ...recordsOf(others, kept.length)]);
    },
    recreate: (...events) => replace(recordsOf(events, 0), instant(histories.length)),
    behave() {
      isFaulty = false;
      this.heal();
    },
  };
};

const instant = (at: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();
