import type { DeadLetter } from "../../read-model/schema/checkpoint.ts";
import type { RecordOutcome } from "../batch/apply-record.ts";

export interface RetryResult {
  readonly sequence: number;
  readonly subject: string;
  /** `stale`, `repeated`: accepted without effect, because the model held a newer event or the same one. */
  readonly outcome: "applied" | "stale" | "repeated" | "refused";
  /** Why the event is still rejected; null when it was accepted. */
  readonly reason: string | null;
  readonly field: string | null;
}

export interface RetryReport {
  /** Selected dead letters and all others of the same entities, by sequence. */
  readonly retried: readonly RetryResult[];
  /** Events accepted so far that became dead letters, because of events applied before them. */
  readonly refused: readonly Pick<DeadLetter, "sequence" | "subject" | "reason" | "field">[];
}

/**
 * @param deadLetters those replayed; duplicates are reported once
 * @param outcomes by sequence
 * @param refused events accepted so far that became dead letters
 */
export const buildRetryReport = (
  deadLetters: readonly DeadLetter[],
  outcomes: ReadonlyMap<number, RecordOutcome>,
  refused: readonly DeadLetter[],
): RetryReport => ({
  retried: [...new Map(deadLetters.map((deadLetter) => [deadLetter.sequence, deadLetter])).values()]
    .sort((a, b) => a.sequence - b.sequence)
    .map((deadLetter) => toResult(deadLetter, outcomes.get(deadLetter.sequence))),
  refused: refused.map(({ sequence, subject, reason, field }) => ({
    sequence,
    subject,
    reason,
    field,
  })),
});

const toResult = (
  { sequence, subject }: DeadLetter,
  recordOutcome: RecordOutcome | undefined,
): RetryResult => {
  const isRejected = recordOutcome === undefined || recordOutcome.counts === "rejected";
  const outcome = isRejected ? "refused" : recordOutcome.counts;
  const { reason = null, field = null } = recordOutcome?.deadLetter ?? {};
  return { sequence, subject, outcome, reason, field };
};
