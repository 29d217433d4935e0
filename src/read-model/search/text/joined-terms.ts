/** Joins words that a text separates and other texts write together. The functions read the output of `prepareText`. */

/**
 * Joins the parts of model numbers and compounds: `WH-1000XM4`, `usb_3.0`, `Wi-Fi`. Not across a decimal point or the stroke
 * of a fraction: 2.0m is not 20m.
 */
export const joinParts = (text: string): readonly string[] =>
  separator.test(text)
    ? (text.match(compound) ?? []).flatMap((match) => match.split(numberSeparator)).flatMap(join)
    : [];

const join = (text: string): readonly string[] => {
  if (!separator.test(text) || !letter.test(text)) return [];
  const parts = text.split(separator);
  if (digit.test(text)) return [parts.join("")];
  // A stroke and a low line separate words that mean something by themselves.
  if (/[_/]/.test(text) || parts.length > maxParts) return [];
  const pairs = parts.slice(1).map((part, at) => (parts[at] ?? "") + part);
  return [...new Set([...pairs, parts.join("")])];
};

/** Longer chains are whole phrases. */
const maxParts = 4;

/** From the start of a run only: matches from each of its letters would take a second for a long run. */
const compound = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]+(?:[-‐‑_./'][\p{L}\p{M}\p{N}]+)+/gu;
const separator = /[-‐‑_./']/;
const numberSeparator = /(?<=\d)[./](?=\d)/;
const letter = /\p{L}/u;
const digit = /\d/;

/** Joins numbers and their units: `60 W`, `5 m2`, `2.2 kW`. A fraction has its whole number where it repeats it, as tokens do. */
export const joinUnits = (text: string): readonly string[] =>
  Array.from(text.matchAll(amount), ([number, , unit = ""]) => number.replace(",", ".") + unit);

const amount =
  /(?<![\p{L}\p{M}\p{N}])(?:(\d{1,20})[.,](?=\1 ))?\d{1,20}(?= (\p{L}[\p{L}\p{M}]{0,11}[23]?)(?![\p{L}\p{M}\p{N}]))/gu;

/** Joins the groups of a number, also with its unit: `1,000`, `10'000mAh`, `10 000 mAh`. A space stands before hundreds only. */
export const joinGroups = (text: string): readonly string[] =>
  Array.from(text.matchAll(groupedNumber), ([match]) => match.replace(groupSign, "")).flatMap(
    (number) => [number.replace(/ .*/, ""), ...joinUnits(number)],
  );

export const ungroupNumbers = (text: string): string =>
  text.replace(groupedNumber, (number) => number.replace(groupSign, ""));

const groupedNumber =
  /[1-9](?<!(?:[\p{L}\p{N}]|\d[.,']).)\d{0,2}(?:([.,'])\d{3}(?:\1\d{3})*|(?: \d00)+)(?![.,']?\d)[\p{L}\p{M}\p{N}]*(?: \p{L}[\p{L}\p{M}]{0,11}[23]?(?![\p{L}\p{M}\p{N}]))?/gu;
const groupSign = /(?<=\d)[.,' ](?=\d)/g;
