import type { Discard } from "../schema/checkpoint.ts";
import type { Withdrawn } from "./revocation-floor.ts";

/** A discard as it is stored: it holds for one refused event, whatever log stands at that sequence later. */
export interface StoredDiscard extends Discard {
  /** SHA-256 of the refused event (`digestOfLetter`). */
  readonly event: string;
}

/** That the tokens of a label are dead up to a generation. */
export interface RevocationRow extends Withdrawn {
  readonly kind: "revocation";
  readonly label: string;
}

/** That an operator has done with the event at a sequence of a log. */
export interface DiscardRow extends StoredDiscard {
  readonly kind: "discard";
  /** Name of the log. The time of its creation is left out, because a broker may change what it says of that. */
  readonly log: string;
  readonly sequence: number;
}

/** A row of the operator state, as it goes from one directory into another. */
export type OperatorRow = RevocationRow | DiscardRow;
