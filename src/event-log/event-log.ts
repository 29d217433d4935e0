/** The port for event logs. Implementations: `journal/index.ts`, `jetstream/index.ts`. */

import type { VitrineError } from "../errors.ts";
import type { EventIdentity } from "../events/envelope.ts";

/**
 * Identifies a log. A stream that was deleted and recreated under the same name has another `created`. An edited
 * stream may have another one too (nats-server 2.9, from its second start on): then its records decide.
 */
export interface LogIdentity {
  readonly name: string;
  /** ISO 8601 time of creation, as the log reports it. */
  readonly created: string;
}

export interface LogBounds {
  /** Sequence of the oldest stored event; `last + 1` when the log is empty. */
  readonly first: number;
  /** Sequence of the latest event; 0 when there never was one. */
  readonly last: number;
  /** True when a replay gives the complete shop: no event was trimmed, or the log keeps one message per subject. */
  readonly isComplete: boolean;
}

/** A message to append: `id` deduplicates; `body` is a structured CloudEvent unless the headers name another form. */
export interface NewMessage {
  readonly id: string;
  /** Identity of the event, because journals of an earlier version index events by their id alone. */
  readonly event?: EventIdentity;
  /** `shop.<entity>.<id>` (Contract §2). */
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface LogRecord {
  readonly sequence: number;
  /** Time of the log when it stored the message, in milliseconds since 1970. */
  readonly time: number;
  readonly subject: string;
  /** Header names in lower case; `nats-msg-id` contains the message id in every log. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface AppendResult {
  readonly sequence: number;
  /** True when the log already stored a message with this id, and kept that one. */
  readonly duplicate: boolean;
}

/** What a read saw of its log, for `ReadOptions.verify`. */
export interface LogObservation {
  readonly identity: LogIdentity;
  /** True for the first records of the log or of a new connection, which may be those of another history. */
  readonly isResumed: boolean;
  /** The latest chunk of this read, whether or not it was yielded: the next record follows it. Empty before the first. */
  readonly latest: readonly LogRecord[];
}

export interface ReadOptions {
  /** Sequence after which to begin: 0 reads from the start. */
  readonly after: number;
  /**
   * true: wait for new records at the end; false: end at the last sequence that the log had at the start of the read.
   */
  readonly follow: boolean;
  /**
   * Verifies that the log is the one that the reader expects. The read awaits it before it yields the first records of
   * the log or of a new connection, at a hole in the sequences, and when no records arrive. Its error ends the read; an
   * `event_log` error is retried like a lost connection.
   */
  readonly verify?: (observed: LogObservation) => Promise<void>;
  /** Set for a first read: events trimmed before the first record arrives are not a gap. */
  readonly allowLateStart?: boolean;
  /** Log subjects to read, with `*` in place of the last part at most; undefined reads all. */
  readonly subjects?: readonly string[];
  /**
   * Reports the sequence that the read has reached, for a progress bar. A broker filters by subject itself, and then
   * the skipped records are not reported.
   */
  readonly onPosition?: (sequence: number) => void;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal;
}

/**
 * A durable, ordered, append-only log. Every call rejects with `VitrineError` `event_log` when the log is
 * unreachable.
 */
export interface EventLog {
  /** The log's location for people: `journal ./data/journal`, `nats://127.0.0.1:4222 stream SHOP`. */
  readonly address: string;
  identity(): Promise<LogIdentity>;
  bounds(): Promise<LogBounds>;
  /**
   * Finds the stored record with the id of a message.
   * @returns undefined when there is none, and always at a broker, which reports duplicates only when it receives the
   * message
   */
  find(message: NewMessage): Promise<LogRecord | undefined>;
  /** Appends in order; resolves when the log reports every message as durable. */
  append(messages: readonly NewMessage[]): Promise<readonly AppendResult[]>;
  /**
   * Reads records in order, in chunks that are never empty. Reconnects while following.
   * @throws `divergence` when the log does not have the next position (trimmed or shorter); the error of `verify`
   */
  read(options: ReadOptions): AsyncIterable<readonly LogRecord[]>;
  /** Returns the record at a sequence, or undefined when the log has none there. */
  get(sequence: number): Promise<LogRecord | undefined>;
  /**
   * Returns the latest record of a subject in a log that keeps one per subject.
   * @returns undefined in any other log, and when the subject has no record
   */
  latestOfSubject(subject: string): Promise<LogRecord | undefined>;
  /**
   * Calls the listener after each reconnect, for continuity checks.
   * @returns the function that removes the listener
   */
  onReconnect(listener: () => void): () => void;
  /** Returns the memory of earlier reads to the system. It ends reads and appends that run; calls made meanwhile wait for it. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A null object for a log that could not be opened: every call rejects with the error of the opening.
 * @param reason `event_log`
 */
export const unavailableLog = (address: string, reason: VitrineError): EventLog => {
  const reject = (): Promise<never> => Promise.reject(reason);
  return {
    address,
    identity: reject,
    bounds: reject,
    find: reject,
    append: reject,
    get: reject,
    latestOfSubject: reject,
    // biome-ignore lint/correctness/useYield: it rejects before it reads anything
    async *read() {
      throw reason;
    },
    onReconnect: () => () => undefined,
    reopen: reject,
    close: () => Promise.resolve(),
  };
};

/**
 * Creates a test for log subjects.
 * @param subjects complete ones, or with `*` in place of the last part, as NATS filters have it
 */
export const createSubjectFilter = (
  subjects: readonly string[],
): ((subject: string) => boolean) => {
  const names = new Set(subjects);
  const hasWildcard = subjects.some((subject) => subject.endsWith(".*"));
  if (!hasWildcard) return (subject) => names.has(subject);
  return (subject) =>
    names.has(subject) || names.has(`${subject.slice(0, subject.lastIndexOf("."))}.*`);
};
