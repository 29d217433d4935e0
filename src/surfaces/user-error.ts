/** Values of the schema's UserErrorCode that this service uses (Specification §7.1). */
type UserErrorCode = "NOT_FOUND" | "INVALID_ARGUMENT" | "UNAVAILABLE" | "INTERNAL";

/** A failure while resolving a well-formed document, or in a tool call (Specification §2, Contract §5). */
export interface UserError {
  readonly code: UserErrorCode;
  /** Path to the argument or field at fault; list indexes as digits. */
  readonly field: readonly string[];
  readonly message: string;
}

/** Members that every payload of GraphQL has. */
export interface WithUserErrors {
  readonly userErrors: readonly UserError[];
}

const withCode =
  (code: UserErrorCode) =>
  (field: readonly string[], message: string): UserError => ({ code, field, message });

/** The requested entity does not exist, or is not visible. */
export const notFound = withCode("NOT_FOUND");
/** An argument is missing, malformed or out of range. */
export const invalidArgument = withCode("INVALID_ARGUMENT");
/** The shop does not offer what the request needs. */
export const unavailable = withCode("UNAVAILABLE");

/** Hides the exception from the client; the operator finds it in the log. */
export const internalError = (field: readonly string[]): UserError =>
  withCode("INTERNAL")(field, internalMessage);

export const internalMessage = "The store failed to answer; retry is safe.";
