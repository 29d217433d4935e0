/** Why an event was refused; it becomes a dead letter, and nothing else stops. */
export type RejectionCode =
  /** Over the size limit. */
  | "too_large"
  /** No UTF-8, no JSON, or JSON nested beyond reason. */
  | "not_json"
  /** A CloudEvents attribute is missing or malformed. */
  | "envelope"
  /** No event type of the contract. */
  | "unknown_type"
  /** `dataschema` names a version this build does not know. */
  | "version"
  /** The data breaks its schema. */
  | "schema"
  /** The subject does not name what the data is about. */
  | "subject"
  /** An older version could not be brought to the newest. */
  | "upcast";

export interface Rejection {
  readonly code: RejectionCode;
  /** Where, as a path: `data.price.amount`, `time`; null when the whole is at fault. */
  readonly field: string | null;
  /** What is wrong and what is wanted, in one plain sentence. */
  readonly reason: string;
}

export interface Refused {
  readonly ok: false;
  readonly rejection: Rejection;
}

export const refuse = (code: RejectionCode, field: string | null, reason: string): Refused => ({
  ok: false,
  rejection: { code, field, reason },
});

/** A value as a sentence may name it: short, on one line, without characters that hide or reorder. */
export function shown(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a JSON object";
  if (typeof value !== "string") return `the JSON ${typeof value} ${String(value)}`;
  const text = [...value.slice(0, 80)];
  const start = text.slice(0, 40).join("");
  return escapeInvisible(JSON.stringify(text.length > 40 ? `${start}…` : start));
}

const escapeInvisible = (text: string): string =>
  text.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
