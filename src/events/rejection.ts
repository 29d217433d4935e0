import { escapeText } from "../platform/escape-control.ts";

/** The reason for a rejection. A rejected event becomes a dead letter, and the following events are processed. */
export type RejectionCode =
  /** Over the size limit. */
  | "too_large"
  /** No UTF-8, no JSON, or JSON with too much nesting. */
  | "not_json"
  /** A CloudEvents attribute is missing or malformed. */
  | "envelope"
  /** No event type of the contract. */
  | "unknown_type"
  /** `dataschema` names a version that this build does not know. */
  | "version"
  | "schema"
  /** The subject does not match the data. */
  | "subject";

export interface Rejection {
  readonly code: RejectionCode;
  /** The path of the invalid value: `data.price.amount`, `time`; null when the complete event is invalid. */
  readonly field: string | null;
  /** The defect and the expected value, in one plain sentence. */
  readonly reason: string;
}

export interface Rejected {
  readonly ok: false;
  readonly rejection: Rejection;
}

export const reject = (code: RejectionCode, field: string | null, reason: string): Rejected => ({
  ok: false,
  rejection: { code, field, reason },
});

/** Quotes a value for a message: short, on one line, without invisible or reordering characters. */
export function quoteForMessage(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a JSON object";
  if (typeof value !== "string") return `the JSON ${typeof value} ${String(value)}`;
  const text = [...value.slice(0, 80)];
  const start = text.slice(0, 40).join("");
  return escapeText(JSON.stringify(text.length > 40 ? `${start}…` : start));
}
