/** Members of the schema's UserErrorCode that this service gives today (§7.1). */
export type UserErrorCode = "NOT_FOUND" | "INVALID_ARGUMENT" | "UNAVAILABLE" | "INTERNAL";

/** A failure while resolving a well-formed document (§2). */
export interface UserError {
  readonly code: UserErrorCode;
  /** Path to the argument or field at fault. */
  readonly field: readonly string[];
  readonly message: string;
}

/** What every payload shows beside its own fields. */
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

/** The shop does not offer it. */
export const unavailable = (field: readonly string[], message: string): UserError => ({
  code: "UNAVAILABLE",
  field,
  message,
});

/** Says nothing of what was thrown: that is for the log. */
export const internalError = (field: readonly string[]): UserError => ({
  code: "INTERNAL",
  field,
  message: internalMessage,
});

export const internalMessage = "The store failed to answer; retry is safe.";
