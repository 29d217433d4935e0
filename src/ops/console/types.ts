import type { Explanation } from "../../projector/explain/explanation.ts";
import type { KeptComparison } from "../../read-model/compare/compare.ts";
import type { DeadLetter } from "../../read-model/schema/checkpoint.ts";

/**
 * What the console asks beside the status. Each may take a while, and none changes anything.
 * Every question rejects with VitrineError when it cannot be answered now.
 */
export interface Questions {
  /** Dead letters, newest first. */
  deadLetters(asked: DeadLettersAsked): Promise<DeadLetterPage>;
  /** One dead letter with the event as it came; undefined when there is none at this sequence. */
  deadLetter(sequence: number): Promise<DeadLetterShown | undefined>;
  /** Which events wrote what of an entity, `product/4711`. */
  explain(subject: string): Promise<Explanation>;
  /** Newest first. */
  generations(): Promise<readonly GenerationFacts[]>;
}

export interface DeadLettersAsked {
  /** Only those of smaller sequence; undefined: from the newest on. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** A dead letter in a list: why it was refused, without the event. */
export interface DeadLetterLine extends Omit<DeadLetter, "headers" | "body"> {
  /** ISO 8601: when the log took it; null when the log cannot tell. */
  readonly logTime: string | null;
}

export interface DeadLetterPage {
  readonly letters: readonly DeadLetterLine[];
  /** How many there are on all pages. */
  readonly total: number;
  /** The `before` of the next older page; null on the last one. */
  readonly older: number | null;
}

export interface DeadLetterShown extends Omit<DeadLetter, "body"> {
  /** Of the whole event. */
  readonly bytes: number;
  /** The event's text, cut when it is long; null when the bytes are no text. */
  readonly text: string | null;
  /** Base64 of the same bytes, when they are no text. */
  readonly base64: string | null;
  /** Whether more follows than is shown. */
  readonly isCut: boolean;
}

/** What is known of one generation of the read model. */
export interface GenerationFacts {
  readonly name: string;
  /** `live` answers; `previous` is kept for going back; `other` is neither, or not yet. */
  readonly role: "live" | "previous" | "other";
  /** ISO 8601: when its directory was made. */
  readonly created: string;
  /** On disk. */
  readonly bytes: number;
  /** Log sequence it includes; null before its first event. */
  readonly checkpoint: number | null;
  /** Rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
  /** What the rebuild that made it found, against the one before it; null when none compared. */
  readonly comparison: KeptComparison | null;
}
