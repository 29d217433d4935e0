/** Parts of an attribute's value in addition to its text: decimal texts, and the unit of both. */
interface AttributeParts {
  readonly numericValue?: string;
  /** The upper end of a range. */
  readonly max?: string;
  readonly unit?: string;
}

/**
 * Formats the value of an attribute. A unit that its text lacks is added once: `12.5 kg`, `≤ 45 dB`. Only a text that is the
 * number or the range alone is written from the numbers.
 */
export const formatAttribute = (
  text: string,
  { numericValue, max, unit }: AttributeParts = {},
): string => {
  if (!unit || hasUnit(text, unit)) return text;
  if (numericValue === undefined)
    return text.trim() && !hasWords.test(text) ? `${text} ${unit}` : text;
  const range = max === undefined ? numericValue : `${numericValue}–${max}`;
  if (hasWords.test(text)) return `${text} (${range} ${unit})`;
  const numbers = ["", numericValue, range].map(toPlain);
  const isNumber = spellings(text).some((each) => numbers.includes(each));
  return `${isNumber ? range : text} ${unit}`;
};

/** Matches a letter, except an `x` between two numbers. */
const hasWords = /(?!(?<=\d\s*)x\s*\d)\p{L}/iu;

/** Writes a text of numbers with decimal points and without groups. A separator before three digits may be either. */
const spellings = (text: string): readonly string[] => {
  const joined = text.replace(/[\s'’]/g, "");
  return [joined, joined.replace(/[.,](?=\d{3}(?!\d))/g, "")].map(toPlain);
};

/** Removes zeros that say nothing, and writes minus, dashes and decimal signs in one way. */
const toPlain = (text: string): string =>
  text
    .replace(/[−–—]/g, "-")
    .replaceAll(",", ".")
    .replace(/(?<![\d.])0+(?=\d|\.\d)/g, "")
    .replace(/(\.\d*?)0+(?!\d)/g, "$1")
    .replace(/\.(?!\d)/g, "");

/** Whether a text has a unit as a word of its own: `12 m` has `m`, `maximum` has not. */
const hasUnit = (text: string, unit: string): boolean =>
  new RegExp(`(?<!\\p{L})${unit.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?!\\p{L})`, "u").test(
    text,
  );
