/**
 * Copies a string to be stored, because V8 retains the complete parent string of a substring of 13 characters or
 * more, and all parts of a concatenated string.
 */
export const copyString = (text: string): string =>
  Buffer.from(text, "utf16le").toString("utf16le");
