import type { Change } from "./explanation.ts";
import type { Fields } from "./field-groups.ts";

/** Characters of a text, or of another value as JSON, that are told in full. */
const longest = { text: 80, json: 200 };

/** The members that differ. What neither side has is not told. */
export const changesOf = (
  before: Fields | null | undefined,
  after: Fields | null | undefined,
): readonly Change[] => {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((field) => {
    const [was, is] = [before?.[field] ?? null, after?.[field] ?? null];
    const same = JSON.stringify(was) === JSON.stringify(is);
    return same ? [] : [{ field, before: shortened(was), after: shortened(is) }];
  });
};

export const shortenedFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shortened(value)]));

/** A long text by its first words and its length, a long list or object by the start of its JSON. */
const shortened = (value: unknown): unknown => {
  if (typeof value === "string") return cut(value, value, longest.text);
  return cut(value, JSON.stringify(value) ?? "", longest.json);
};

const cut = (value: unknown, text: string, most: number): unknown => {
  if (text.length <= most) return value;
  const start = text
    .slice(0, most)
    .replace(/\s+\S*$/, "")
    .toWellFormed();
  return `${start}… (${text.length.toLocaleString("en")} characters)`;
};
