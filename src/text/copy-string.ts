/**
 * A text that stands for itself, to be kept: V8 holds a whole text for as long as anybody has 13 characters of it, and all
 * parts of one that was joined.
 */
export const ownText = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");
