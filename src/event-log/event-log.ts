/** The port: where events come from. Two implementations, one manner (`journal.ts`, `jetstream.ts`). */

import type { EventIdentity } from "../events/identity.ts";

/**
 * What makes a log this log: a stream deleted and made anew under the same name has another `created`. So may one that was
 * edited (nats-server 2.9, from its second start on): then what it holds has to tell.
 */
export interface LogIdentity {
  readonly name: string;
  /** ISO 8601 instant of creation, as the log itself states it. */
  readonly created: string;
}

export interface LogBounds {
  /** Sequence of the oldest event kept; `last + 1` when none is. */
  readonly first: number;
  /** Sequence of the newest event; 0 when there never was one. */
  readonly last: number;
  /** True when replaying what is kept gives the whole shop: nothing trimmed, or one message kept per subject. */
  readonly whole: boolean;
}

/** A message to append: `id` dedupes, `body` is a structured CloudEvent unless headers say otherwise. */
export interface NewMessage {
  readonly id: string;
  /** The event in it: a journal of an earlier version knows it by its id alone. */
  readonly event?: EventIdentity;
  /** `shop.<entity>.<id>` (contract section 2). */
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface LogRecord {
  readonly sequence: number;
  /** The log's own clock when it took the message, in milliseconds since 1970. */
  readonly time: number;
  readonly subject: string;
  /** Header names in lower case; `nats-msg-id` holds the id of the message, whichever log it is. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Appended {
  readonly sequence: number;
  /** True when the log already held a message with this id, and kept that one. */
  readonly duplicate: boolean;
}

export interface ReadOptions {
  /** Sequence after which to begin: 0 for the whole log. */
  readonly after: number;
  /** true: wait for more at the end, for ever; false: end where the log ended when the reading began. */
  readonly follow: boolean;
  /** The log the reader knows: another one under the same name is a divergence from the first record on. */
  readonly identity?: LogIdentity;
  /**
   * Whether a log of that name, which says another time of its creation, is the one the reader knows nevertheless.
   * Without, it is not.
   */
  readonly isSame?: () => Promise<boolean>;
  /** Nothing was read before: what the log drops from its beginning until the first record comes is missed by nobody. */
  readonly isFirst?: boolean;
  /** Only the records of these log subjects, each written out; all of them without. */
  readonly subjects?: readonly string[];
  /**
   * Called with the sequence that a reading has come to, for a progress bar. A broker finds the records of a subject
   * without going through the others, and calls it for none of these.
   */
  readonly onPosition?: (sequence: number) => void;
  /** Ends the iteration quietly. */
  readonly signal?: AbortSignal;
}

/**
 * A durable, ordered, append-only log.
 * Every call rejects with `VitrineError` `event_log` when the log cannot be reached.
 */
export interface EventLog {
  /** Where it is, for people: `journal ./data/journal`, `nats://127.0.0.1:4222 stream SHOP`. */
  readonly address: string;
  identity(): Promise<LogIdentity>;
  bounds(): Promise<LogBounds>;
  /**
   * The record that the log keeps in place of a message, as it holds one of the same id already; undefined when it holds
   * none, and of a broker, which tells that only when it is sent the message.
   */
  find(message: NewMessage): Promise<LogRecord | undefined>;
  /** Appends in order; resolves when every message is durable in the log's own sense. */
  append(messages: readonly NewMessage[]): Promise<readonly Appended[]>;
  /**
   * Chunks of records in order, never an empty chunk. Throws `divergence` when the log cannot continue
   * after `after` (trimmed, shorter or recreated); survives a broker that goes away while following.
   */
  read(options: ReadOptions): AsyncIterable<readonly LogRecord[]>;
  /** The record at a sequence, or undefined when the log holds none there. */
  at(sequence: number): Promise<LogRecord | undefined>;
  /** The newest record of a subject, of a log that keeps no more than that of each; undefined of any other, and where none is. */
  newestOf(subject: string): Promise<LogRecord | undefined>;
  /** Called after each reconnect, for the checks that belong there. Returns the way to stop listening. */
  onReconnect(listener: () => void): () => void;
  close(): Promise<void>;
}
