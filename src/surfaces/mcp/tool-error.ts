/** The codes of UserErrorCode (§2) that a tool gives. */
export type RefusalCode = "NOT_FOUND" | "INVALID_ARGUMENT" | "UNAVAILABLE" | "INTERNAL";

/** Why a call got no answer (contract section 5): text and structured content of a result with `isError`. */
export interface Refusal {
  readonly code: RefusalCode;
  /** Path to the argument at fault; list places as digits. */
  readonly field: readonly string[];
  readonly message: string;
}

const refused =
  (code: RefusalCode) =>
  (field: readonly string[], message: string): { readonly refusal: Refusal } => ({
    refusal: { code, field, message },
  });

/** The record does not exist, or is not visible. */
export const notFound = refused("NOT_FOUND");
/** An argument is missing, malformed or out of range. */
export const invalidArgument = refused("INVALID_ARGUMENT");
/** This shop does not offer it, or not now. */
export const unavailable = refused("UNAVAILABLE");
/** Says nothing of what was thrown: that is for the log. */
export const internal = refused("INTERNAL");
