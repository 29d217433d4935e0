import { createHash } from "node:crypto";

/** A CloudEvent in JSON format: the attributes that Vitrine reads, around data of any type. */
export interface CloudEvent {
  readonly specversion: "1.0";
  /** Unique per `source`. */
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** `<entity>/<id>`, or `settings`, `robots`. */
  readonly subject: string;
  /** RFC 3339 time of the change in the shop. */
  readonly time: string;
  readonly sequence?: string;
  readonly dataschema?: string;
  readonly datacontenttype?: string;
  readonly data: unknown;
}

/** A message to append; equal to `NewMessage` of the event log. */
export interface EventMessage {
  /** The result of `messageIdOf`. */
  readonly id: string;
  readonly event: EventIdentity;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Builds the message of a valid event (Contract §2): structured JSON on one subject per entity and aspect. */
export function toMessage(event: CloudEvent): EventMessage;
/** @param body the event's original bytes */
export function toMessage(event: EventAddress, body: Uint8Array): EventMessage;
export function toMessage(
  event: EventAddress,
  body: Uint8Array = Buffer.from(JSON.stringify(event)),
): EventMessage {
  const { source, id } = event;
  return {
    id: messageIdOf(event),
    event: { source, id },
    subject: toNatsSubject(event.subject),
    headers: { "content-type": "application/cloudevents+json" },
    body,
  };
}

type EventAddress = Pick<CloudEvent, "id" | "source" | "subject">;

/**
 * Converts a subject: `product/4711` → `shop.product.4711`; `variant/4711/90001` → `shop.variant.4711.90001`;
 * `settings` → `shop.settings`; an agent's label as base64url.
 */
export function toNatsSubject(subject: string): string {
  const slash = subject.indexOf("/");
  if (slash < 0) return `shop.${subject}`;
  const entity = subject.slice(0, slash);
  const id = subject.slice(slash + 1);
  return `shop.${entity}.${entity === "agent" ? Buffer.from(id).toString("base64url") : id.replaceAll("/", ".")}`;
}

/** The identity of an event: an id is unique per source only. */
export interface EventIdentity {
  readonly source: string;
  readonly id: string;
}

/**
 * Builds the id by which a log deduplicates an event: `Nats-Msg-Id` at a broker, a key in the journal. The id is
 * source and id with a space between, because no source contains one; their digest replaces a text that is long or
 * not valid in a header. The published contract states this form (`schema/asyncapi.yaml`).
 */
export function messageIdOf({ source, id }: EventIdentity): string {
  const text = `${source} ${id}`;
  if (text.length <= maxMessageIdLength && sourceAndId.test(text)) return text;
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

const maxMessageIdLength = 250;
/** Visible ASCII with one space. */
const sourceAndId = /^[!-~]+ [!-~]+$/;

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
