import type { Explanation } from "../../projector/explain/explanation.ts";
import type { StoredComparison } from "../../read-model/compare/compare.ts";
import type { DeadLetter } from "../../read-model/schema/checkpoint.ts";

/**
 * Queries of the console, in addition to the status. They are read-only and may take a while.
 * @throws VitrineError (as a rejection) when a query cannot be answered now
 */
export interface ConsoleQueries {
  /** Lists dead letters, newest first. */
  deadLetters(params: DeadLetterParams): Promise<DeadLetterPage>;
  /** Reads one dead letter with its original event. @returns undefined when the sequence is no dead letter */
  deadLetter(sequence: number): Promise<DeadLetterDetail | undefined>;
  /** Explains which events wrote an entity. @param subject `product/4711` */
  explain(subject: string): Promise<Explanation>;
  /** Lists the generations, newest first. */
  generations(): Promise<readonly GenerationInfo[]>;
}

export interface DeadLetterParams {
  /** Only dead letters with a smaller sequence; undefined to start at the newest. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** A dead letter without its event, for a list. */
export interface DeadLetterSummary extends Omit<DeadLetter, "headers" | "body"> {
  /** Time at which the log stored the event, ISO 8601; null when unknown. */
  readonly logTime: string | null;
}

export interface DeadLetterPage {
  readonly letters: readonly DeadLetterSummary[];
  /** Number of dead letters on all pages. */
  readonly total: number;
  /** Value of `before` for the next older page; null on the last page. */
  readonly older: number | null;
}

export interface DeadLetterDetail extends Omit<DeadLetter, "body"> {
  /** Size of the complete event body. */
  readonly bytes: number;
  /** Event body as text, truncated when long; null when the body is not valid text. */
  readonly text: string | null;
  /** Event body as Base64, truncated when long; null when it is text. */
  readonly base64: string | null;
  /** Whether the body is truncated. */
  readonly isCut: boolean;
}

/** One generation of the read model. */
export interface GenerationInfo {
  readonly name: string;
  /** `live` serves reads; `previous` is kept for a rollback; `other` is neither, such as a candidate. */
  readonly role: "live" | "previous" | "other";
  /** Creation time of its directory, ISO 8601. */
  readonly created: string;
  /** Size on disk. */
  readonly bytes: number;
  /** Log sequence up to which it includes events; null before its first event. */
  readonly checkpoint: number | null;
  readonly rows: Readonly<Record<string, number>>;
  /** Comparison with the previous generation by the rebuild that created it; null when there was none. */
  readonly comparison: StoredComparison | null;
}
