/** Parts of an attribute's value in addition to its text: decimal texts, and the unit of both. */
export interface AttributeParts {
  readonly numericValue?: string;
  /** The upper end of a range. */
  readonly max?: string;
  readonly unit?: string;
}

/** Formats the value of an attribute. A unit that its text lacks is added once: `12.5 kg`, `5–10 °C`. */
export const formatAttribute = (
  text: string,
  { numericValue, max, unit }: AttributeParts = {},
): string => {
  if (!unit || hasUnit(text, unit)) return text;
  const range = max === undefined ? numericValue : `${numericValue}–${max}`;
  const amount = numericValue === undefined ? undefined : `${range} ${unit}`;
  if (hasWords.test(text)) return amount ? `${text} (${amount})` : text;
  return amount ?? (text.trim() ? `${text} ${unit}` : text);
};

const hasWords = /\p{L}/u;

/** Whether a text has a unit as a word of its own: `12 m` has `m`, `maximum` has not. */
const hasUnit = (text: string, unit: string): boolean =>
  new RegExp(`(?<!\\p{L})${unit.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?!\\p{L})`, "u").test(
    text,
  );
