import type { CloudEvent } from "./envelope.ts";

/**
 * Nearly every event's envelope is of one make: plain ASCII, UTC, no `dataschema`. That is seen at a glance, at a small
 * part of what the schema's formats and patterns cost. This only ever accepts what the schema accepts too: whatever
 * is not plain is for the schema to judge, and to tell what is wrong with it.
 */
export const isPlainEnvelope = (event: unknown): event is CloudEvent => {
  if (typeof event !== "object" || event === null) return false;
  const told = event as Readonly<Record<string, unknown>>;
  const { data, sequence } = told;
  return (
    told["specversion"] === "1.0" &&
    isPlainId(told["id"]) &&
    isPlainSource(told["source"]) &&
    isText(told["type"]) &&
    isText(told["subject"]) &&
    isPlainTime(told["time"]) &&
    (sequence === undefined || isToken(sequence)) &&
    told["dataschema"] === undefined &&
    (told["datacontenttype"] === undefined || told["datacontenttype"] === "application/json") &&
    typeof data === "object" &&
    data !== null &&
    !Array.isArray(data)
  );
};

const visible = /^[!-~]+$/;

const isToken = (value: unknown): boolean =>
  typeof value === "string" && value.length <= 64 && visible.test(value);

const printable = /^[ -~]+$/;

const isPlainId = (value: unknown): boolean =>
  typeof value === "string" && value.length <= 1024 && printable.test(value);

const isText = (value: unknown): boolean =>
  typeof value === "string" && value.length > 0 && value.length <= 200;

/** A path of the shop's, as `/shops/main`. */
const path = /^(?:\/[a-zA-Z0-9_-]+)+$/;

const isPlainSource = (value: unknown): boolean =>
  typeof value === "string" && value.length <= 500 && path.test(value);

/** A day that every month has, in UTC. */
const time =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

const isPlainTime = (value: unknown): boolean => typeof value === "string" && time.test(value);
