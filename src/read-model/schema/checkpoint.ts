import type { RejectionCode } from "../../events/rejection.ts";

/** Identifies the record at a sequence of the log, so that a rewritten history is detected. */
export interface RecordFingerprint {
  readonly sequence: number;
  readonly subject: string;
  /** Time at which the log stored the record, milliseconds since 1970. */
  readonly time: number;
  /** Message id by which the log deduplicates; empty when the record has none. */
  readonly id: string;
  /** SHA-256 of the message's bytes, base64url. */
  readonly sha256: string;
}

/** Counts events by outcome since the generation was created. */
export interface EventCounts {
  readonly applied: number;
  /** Stale events: older than the stored version, so they changed nothing. */
  readonly stale: number;
  /** Duplicates: an event that was applied before under another sequence. */
  readonly repeated: number;
  /** Events that became dead letters. */
  readonly rejected: number;
}

export const noEvents: EventCounts = { applied: 0, stale: 0, repeated: 0, rejected: 0 };

export const addCounts = (one: EventCounts, other: EventCounts): EventCounts => ({
  applied: one.applied + other.applied,
  stale: one.stale + other.stale,
  repeated: one.repeated + other.repeated,
  rejected: one.rejected + other.rejected,
});

/** Records the position of a generation in its log. Contract §2: committed in one transaction with the documents. */
export interface Checkpoint {
  /** Log sequence of the last event applied; 0 before the first. */
  readonly sequence: number;
  /** Time at which the log stored that event, milliseconds since 1970; 0 before the first. */
  readonly logTime: number;
  /** Greatest event time applied, milliseconds since 1970; 0 before the first. */
  readonly lastEventTime: number;
  /** The log this generation follows. */
  readonly identity: { readonly name: string; readonly created: string };
  /** Fingerprints of the record at the checkpoint and of a few before it, latest last. */
  readonly fingerprints: readonly RecordFingerprint[];
  /** First record that the generation was built from; absent before it and in earlier generations. */
  readonly first?: RecordFingerprint;
  /** Random text of a log that became shorter, was rewritten or was trimmed; absent when it never did. */
  readonly history?: string;
  readonly tally: EventCounts;
  /** Number of dead-letter retries, which change the model without moving the sequence; absent for 0. */
  readonly retries?: number;
  readonly projections: string;
  /** Version of the collation, word segmentation and stemming data (`textData`); absent in earlier generations. */
  readonly textData?: string;
  /** Version of the stored form (`modelLayout`); absent in earlier generations. */
  readonly layout?: number;
}

/**
 * Version of the form of stored rows, keys and indexes. Raise it when older rows would be misread. Readers never serve a
 * generation of another layout, even when no other generation exists until the rebuild ends.
 */
export const modelLayout = 6;

/** Code of the reason why an event was rejected; `refused`: a projection rejected it. */
type DeadLetterCode = RejectionCode | "refused";

/** A rejected event with all its bytes and the reason. */
export interface DeadLetter {
  readonly sequence: number;
  readonly subject: string;
  /** Headers that describe the body; headers that the log added are left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw bytes, base64. */
  readonly body: string;
  readonly code: DeadLetterCode;
  readonly reason: string;
  /** Path of the invalid member; null when the reason concerns no single member. */
  readonly field: string | null;
}

/** Marks a dead letter as discarded by an operator: it stays stored and no longer counts as open. */
export interface DeadLetterDiscard {
  /** Time of the discard, milliseconds since 1970. */
  readonly time: number;
}
