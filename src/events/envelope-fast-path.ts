import type { CloudEvent } from "./envelope.ts";

/**
 * Recognises the common envelope: plain ASCII, UTC, no `dataschema`. This check costs a fraction of the schema's
 * formats and patterns. Invariant: it accepts only what the schema accepts; the schema validates every other envelope
 * and describes its errors.
 */
export const isCommonEnvelope = (event: unknown): event is CloudEvent => {
  if (typeof event !== "object" || event === null) return false;
  const attributes = event as Readonly<Record<string, unknown>>;
  const { data, sequence } = attributes;
  return (
    attributes["specversion"] === "1.0" &&
    isCommonId(attributes["id"]) &&
    isCommonSource(attributes["source"]) &&
    isShortText(attributes["type"]) &&
    isShortText(attributes["subject"]) &&
    isCommonTime(attributes["time"]) &&
    (sequence === undefined || isToken(sequence)) &&
    attributes["dataschema"] === undefined &&
    (attributes["datacontenttype"] === undefined ||
      attributes["datacontenttype"] === "application/json") &&
    typeof data === "object" &&
    data !== null &&
    !Array.isArray(data)
  );
};

const visible = /^[!-~]+$/;

const isToken = (value: unknown): boolean =>
  typeof value === "string" && value.length <= 64 && visible.test(value);

const printable = /^[ -~]+$/;

const isCommonId = (value: unknown): boolean =>
  typeof value === "string" && value.length <= 1024 && printable.test(value);

const isShortText = (value: unknown): boolean =>
  typeof value === "string" && value.length > 0 && value.length <= 200;

/** A path such as `/shops/main`. */
const shopPath = /^(?:\/[a-zA-Z0-9_-]+)+$/;

const isCommonSource = (value: unknown): boolean =>
  typeof value === "string" && value.length <= 500 && shopPath.test(value);

/** A time in UTC whose day exists in every month. */
const utcTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

const isCommonTime = (value: unknown): boolean => typeof value === "string" && utcTime.test(value);
