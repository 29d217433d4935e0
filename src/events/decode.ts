import { findConflict } from "./conflicts.ts";
import { defaultContract, type EventDefinition } from "./contract.ts";
import type { CloudEvent } from "./envelope.ts";
import { isCommonEnvelope } from "./envelope.ts";
import type { ShopEvent } from "./event.ts";
import { parseMessage, type RawMessage } from "./message-content.ts";
import { quoteForMessage, type Rejected, reject } from "./rejection.ts";
import { readTime } from "./time.ts";

/** Maximum by which an event's time may be ahead of the log's (Contract §2). */
const maxClockSkewMs = 5 * 60 * 1000;

export type DecodeResult = { readonly ok: true; readonly event: ShopEvent } | Rejected;

/**
 * Decodes a message of the log into an event: parsed, validated, ids normalized, unknown members removed.
 * Never throws: an invalid message gives a rejection (Contract §2).
 */
export function decode(raw: RawMessage): DecodeResult {
  const contract = defaultContract();
  const content = parseMessage(raw);
  if (!content.ok) return content;
  const parsed = content.event;
  const violation = isCommonEnvelope(parsed) ? undefined : contract.validateEnvelope(parsed);
  if (violation) return reject("envelope", violation.field, violation.reason);
  const event = parsed as CloudEvent;
  const definition = contract.definitions.get(event.type);
  if (definition === undefined) return rejectType(event.type);
  const read = readData(event, definition);
  if (!read.ok) return read;
  const { data } = read;
  const subject = definition.buildSubject(data);
  if (subject !== event.subject) return rejectSubject(event.subject, subject);
  return buildEvent(event, definition, data, raw);
}

type ParsedData = { readonly ok: true; readonly data: unknown } | Rejected;

const rejectType = (type: string): Rejected =>
  reject(
    "unknown_type",
    "type",
    `type ${quoteForMessage(type)} is not an event type of the contract`,
  );

function readData(event: CloudEvent, definition: EventDefinition): ParsedData {
  const otherVersion = rejectVersion(event);
  if (otherVersion) return otherVersion;
  const violation = definition.validate(event.data);
  if (violation) return reject("schema", violation.field, violation.reason);
  const data = definition.normalize(event.data);
  const conflict = findConflict(definition.type, data);
  return conflict ? reject("schema", conflict.field, conflict.reason) : { ok: true, data };
}

/**
 * Rejects a `dataschema` that names another version than 1 of a schema in `schema/events`. A `dataschema` that names no schema
 * of this event type is the producer's own.
 */
function rejectVersion({ type, dataschema }: CloudEvent): Rejected | undefined {
  const match = dataschema === undefined ? null : schemaFileName.exec(dataschema);
  const version = match?.[1] === type ? Number(match[2]) : 1;
  if (version === 1) return undefined;
  const problem =
    version < 1
      ? "does not exist: the first is 1"
      : "is newer than this service knows (1); upgrade the service, then retry";
  return reject("version", "dataschema", `version ${version} of ${type} ${problem}`);
}

/** Matches the file name of a schema in `schema/events` at the end of a URI. */
const schemaFileName = /(?:^|[/#?:=])([a-z.]+)\.v(\d{1,9})\.json$/;

function rejectSubject(actual: string, expected: string): Rejected {
  const reason = `subject must be ${quoteForMessage(expected)}, as the data says, not ${quoteForMessage(actual)}`;
  return reject("subject", "subject", reason);
}

function buildEvent(
  envelope: CloudEvent,
  { type }: EventDefinition,
  data: unknown,
  { sequence: logSequence, time: logTime }: RawMessage,
): DecodeResult {
  const eventTime = readTime(envelope.time);
  if (!eventTime) return reject("envelope", "time", "time must be a date that exists");
  if (eventTime.time < 0) {
    return reject("envelope", "time", "time must be 1970 or later: no shop is older");
  }
  const { id, source, subject, sequence } = envelope;
  const { time, subMillis } =
    eventTime.time > logTime + maxClockSkewMs ? { time: logTime } : eventTime;
  const members =
    sequence === undefined
      ? { type, id, source, subject, time, logSequence, data }
      : { type, id, source, subject, time, sequence, logSequence, data };
  const event = subMillis === undefined ? members : { ...members, subMillis };
  return { ok: true, event: event as ShopEvent };
}
