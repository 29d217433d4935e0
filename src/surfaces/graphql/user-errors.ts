/** Values of the schema's UserErrorCode that this service uses (Specification §7.1). */
export type UserErrorCode = "NOT_FOUND" | "INVALID_ARGUMENT" | "UNAVAILABLE" | "INTERNAL";

/** A failure while resolving a well-formed document (Specification §2). */
export interface UserError {
  readonly code: UserErrorCode;
  /** Path to the argument or field at fault. */
  readonly field: readonly string[];
  readonly message: string;
}

/** Fields that every payload has. */
export interface WithUserErrors {
  readonly userErrors: readonly UserError[];
}

export const invalidArgument = (field: readonly string[], message: string): UserError => ({
  code: "INVALID_ARGUMENT",
  field,
  message,
});

export const notFound = (field: readonly string[], message: string): UserError => ({
  code: "NOT_FOUND",
  field,
  message,
});

/** The shop does not offer the requested data. */
export const unavailable = (field: readonly string[], message: string): UserError => ({
  code: "UNAVAILABLE",
  field,
  message,
});

/** Hides the exception from the client; the operator finds it in the log. */
export const internalError = (field: readonly string[]): UserError => ({
  code: "INTERNAL",
  field,
  message: internalMessage,
});

export const internalMessage = "The store failed to answer; retry is safe.";
