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

/** Joins numbers and their units: `60 W`, `5 m2`. */
export const joinUnits = (text: string): readonly string[] =>
  Array.from(text.matchAll(numberAndUnit), ([, number = "", unit = ""]) => number + unit);

const numberAndUnit =
  /(?<![\p{L}\p{M}\p{N}])(\d{1,20}) (?=(\p{L}{1,3}[23]?)(?![\p{L}\p{M}\p{N}]))/gu;
