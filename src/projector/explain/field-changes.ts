import type { FieldChange } from "./explanation.ts";
import type { Fields } from "./field-groups.ts";

/** Limits above which a value is truncated. */
const maxTextChars = 80;
const maxJsonChars = 200;

/** Lists the fields whose values differ. A field that is null or absent on both sides is equal. */
export const diffFields = (
  before: Fields | null | undefined,
  after: Fields | null | undefined,
): readonly FieldChange[] => {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((field) => {
    const [oldValue, newValue] = [before?.[field] ?? null, after?.[field] ?? null];
    const isSame = JSON.stringify(oldValue) === JSON.stringify(newValue);
    return isSame
      ? []
      : [{ field, before: truncateValue(oldValue), after: truncateValue(newValue) }];
  });
};

export const truncateFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, truncateValue(value)]));

/** Truncates a long text to its first words, and a long list or object to the start of its JSON. */
const truncateValue = (value: unknown): unknown => {
  if (typeof value === "string") return truncate(value, value, maxTextChars);
  return truncate(value, JSON.stringify(value) ?? "", maxJsonChars);
};

const truncate = (value: unknown, text: string, maxChars: number): unknown => {
  if (text.length <= maxChars) return value;
  const start = text
    .slice(0, maxChars)
    .replace(/\s+\S*$/, "")
    .toWellFormed();
  return `${start}… (${text.length.toLocaleString("en")} characters)`;
};
