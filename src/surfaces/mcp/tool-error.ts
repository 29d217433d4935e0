/** Values of UserErrorCode (Specification §2) that tools use. */
export type ToolErrorCode = "NOT_FOUND" | "INVALID_ARGUMENT" | "UNAVAILABLE" | "INTERNAL";

/** Why a tool call failed (Contract §5): text and structured content of a result with `isError`. */
export interface ToolError {
  readonly code: ToolErrorCode;
  /** Path to the invalid argument; list indexes as digits. */
  readonly field: readonly string[];
  readonly message: string;
}

const toFailure =
  (code: ToolErrorCode) =>
  (field: readonly string[], message: string): { readonly refusal: ToolError } => ({
    refusal: { code, field, message },
  });

/** The requested entity does not exist, or is not visible. */
export const notFound = toFailure("NOT_FOUND");
/** An argument is missing, malformed or out of range. */
export const invalidArgument = toFailure("INVALID_ARGUMENT");
/** The shop does not offer what the call needs, or not now. */
export const unavailable = toFailure("UNAVAILABLE");
/** Hides the exception from the client; the operator finds it in the log. */
export const internalError = toFailure("INTERNAL");
