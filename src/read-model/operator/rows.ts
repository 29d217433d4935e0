import type { DeadLetterDiscard } from "../schema/checkpoint.ts";
import type { RevocationFloor } from "../schema/rows.ts";

/** A stored discard. It applies to one rejected event, even when another event has its sequence later. */
export interface StoredDiscard extends DeadLetterDiscard {
  /** SHA-256 of the rejected event (`computeDeadLetterDigest`). */
  readonly event: string;
}

/** Revocation of the tokens of a label up to a generation. */
export interface RevocationRow extends RevocationFloor {
  readonly kind: "revocation";
  readonly label: string;
}

/** Discard of the rejected event at a sequence of a log. */
export interface DiscardRow extends StoredDiscard {
  readonly kind: "discard";
  /** Name of the log. The time of its creation is left out, because the time that a broker reports may change. */
  readonly log: string;
  readonly sequence: number;
}

/** A row of the operator state in the form that is copied between directories. */
export type OperatorRow = RevocationRow | DiscardRow;
