import type { DeadLetter } from "../../read-model/schema/checkpoint.ts";
import type { Told } from "../batch/apply-record.ts";

/** How a dead letter ended that was folded again. */
export interface Retried {
  readonly sequence: number;
  readonly subject: string;
  /** `stale`, `repeated`: accepted, though what the model knew was as new already. */
  readonly outcome: "applied" | "stale" | "repeated" | "refused";
  /** Why it is still refused; null otherwise. */
  readonly reason: string | null;
  readonly field: string | null;
}

/** What a retry came to. */
export interface Retrial {
  /** By sequence: what was asked for, and the other letters of the same entities, which went along. */
  readonly retried: readonly Retried[];
  /** Events that were fine until now and became dead letters, because of what was applied before them. */
  readonly refused: readonly Pick<DeadLetter, "sequence" | "subject" | "reason" | "field">[];
}

/**
 * @param letters what was folded again; one may be named twice
 * @param ends how each ended, by sequence
 */
export const retrialOf = (
  letters: readonly DeadLetter[],
  ends: ReadonlyMap<number, Told>,
  refused: readonly DeadLetter[],
): Retrial => ({
  retried: [...new Map(letters.map((letter) => [letter.sequence, letter])).values()]
    .sort((a, b) => a.sequence - b.sequence)
    .map((letter) => endOf(letter, ends.get(letter.sequence))),
  refused: refused.map(({ sequence, subject, reason, field }) => ({
    sequence,
    subject,
    reason,
    field,
  })),
});

const endOf = ({ sequence, subject }: DeadLetter, told: Told | undefined): Retried => {
  const outcome = told === undefined || told.counts === "rejected" ? "refused" : told.counts;
  const { reason = null, field = null } = told?.deadLetter ?? {};
  return { sequence, subject, outcome, reason, field };
};
