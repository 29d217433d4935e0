import { messageOf } from "../errors.ts";
import { type Contract, type EventKind, shippedContract } from "./contract.ts";
import type { CloudEvent } from "./envelope.ts";
import { isPlainEnvelope } from "./envelope-fast-path.ts";
import type { ShopEvent } from "./event.ts";
import { type RawEvent, readContent } from "./message-content.ts";
import { type Refused, refuse, shown } from "./rejection.ts";
import { readTime } from "./time.ts";
import { upcast } from "./upcast.ts";

/** How far an event's time may be ahead of the log's own, in milliseconds (contract section 2). */
const aheadAllowed = 5 * 60 * 1000;

export type Decoded = { readonly ok: true; readonly event: ShopEvent } | Refused;

/**
 * A message of the log as an event: read, validated, brought to the newest version, ids normalised,
 * unknown members left out. Never throws: what it cannot take is a rejection (contract section 2).
 */
export function decode(raw: RawEvent, contract: Contract = shippedContract()): Decoded {
  const content = readContent(raw);
  if (!content.ok) return content;
  const told = content.event;
  const fault = isPlainEnvelope(told) ? undefined : contract.checkEnvelope(told);
  if (fault) return refuse("envelope", fault.field, fault.reason);
  const event = told as CloudEvent;
  const kind = contract.kinds.get(event.type);
  if (kind === undefined) return unknownType(event.type);
  const read = readData(event, kind);
  if (!read.ok) return read;
  if (!kind.subject.is(event.subject, read.data)) return misnamed(event, kind, read.data);
  return assembled(event, kind, read.data, raw);
}

type Told = { readonly ok: true; readonly data: unknown } | Refused;

const unknownType = (type: string): Refused =>
  refuse("unknown_type", "type", `type ${shown(type)} is not an event type of the contract`);

function readData(event: CloudEvent, kind: EventKind): Told {
  const version = versionOf(event, kind);
  if (typeof version !== "number") return version;
  const fault = kind.check(version, event.data);
  if (fault) return refuse("schema", fault.field, fault.reason);
  if (version === kind.newest) return { ok: true, data: kind.shape(event.data) };
  return upcastData(event.data, version, kind);
}

/**
 * Returns the version that `dataschema` chooses, 1 when it names no schema of this event type: then it is the
 * producer's own, and none of this service's concern.
 */
function versionOf({ type, dataschema }: CloudEvent, { newest }: EventKind): number | Refused {
  const ending = dataschema === undefined ? null : ownSchema.exec(dataschema);
  if (ending?.[1] !== type) return 1;
  const version = Number(ending[2]);
  if (version >= 1 && version <= newest) return version;
  const why =
    version < 1
      ? "does not exist: the first is 1"
      : `is newer than this service knows (${newest}); upgrade it, then retry`;
  return refuse("version", "dataschema", `version ${version} of ${type} ${why}`);
}

/** The file name of a schema as `schema/events` has them, at the end of an address. */
const ownSchema = /(?:^|[/#?:=])([a-z.]+)\.v(\d{1,9})\.json$/;

/** An upcaster's own fault refuses the event: its raw bytes are kept, and a retry follows the mend. */
function upcastData(data: unknown, version: number, kind: EventKind): Told {
  try {
    const newer = upcast(kind.chain, data, version, kind.newest);
    const fault = kind.check(kind.newest, newer);
    if (fault) return notUpcast(version, kind, fault.reason, fault.field);
    return { ok: true, data: kind.shape(newer) };
  } catch (thrown) {
    return notUpcast(version, kind, messageOf(thrown), null);
  }
}

const notUpcast = (version: number, kind: EventKind, why: string, field: string | null): Refused =>
  refuse("upcast", field, `version ${version} could not be brought to ${kind.newest}: ${why}`);

function misnamed({ subject }: CloudEvent, kind: EventKind, data: unknown): Refused {
  const wanted = shown(kind.subject.of(data));
  const reason = `subject must be ${wanted}, as the data says, not ${shown(subject)}`;
  return refuse("subject", "subject", reason);
}

function assembled(
  event: CloudEvent,
  { type }: EventKind,
  data: unknown,
  { sequence: logSequence, time: logTime }: RawEvent,
): Decoded {
  const stated = readTime(event.time);
  if (!stated) return refuse("envelope", "time", "time must be a date that exists");
  if (stated.time < 0) {
    return refuse("envelope", "time", "time must be 1970 or later: no shop is older");
  }
  const { id, source, subject, sequence } = event;
  const { time, subMillis } = stated.time > logTime + aheadAllowed ? { time: logTime } : stated;
  const assembled =
    sequence === undefined
      ? { type, id, source, subject, time, logSequence, data }
      : { type, id, source, subject, time, sequence, logSequence, data };
  const exact = subMillis === undefined ? assembled : { ...assembled, subMillis };
  return { ok: true, event: exact as ShopEvent };
}
