import { type EventIdentity, messageIdOf } from "./identity.ts";

/** A CloudEvent in JSON format: the attributes Vitrine reads, around data of any shape. */
export interface CloudEvent {
  readonly specversion: "1.0";
  /** Unique per `source`. */
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** `<entity>/<id>`, or `settings`, `robots`. */
  readonly subject: string;
  /** RFC 3339: when the shop made the change. */
  readonly time: string;
  readonly sequence?: string;
  readonly dataschema?: string;
  readonly datacontenttype?: string;
  readonly data: unknown;
}

/** A message ready to append; the event log's `NewMessage` has this shape. */
export interface Message {
  /** As `messageIdOf` makes it of the event. */
  readonly id: string;
  readonly event: EventIdentity;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * The message a valid event travels in (contract section 2): structured JSON on one subject per
 * entity and aspect.
 */
export function toMessage(event: CloudEvent): Message;
/** @param body the event's own bytes, kept as they came. */
export function toMessage(event: EventAddress, body: Uint8Array): Message;
export function toMessage(
  event: EventAddress,
  body: Uint8Array = new TextEncoder().encode(JSON.stringify(event)),
): Message {
  const { source, id } = event;
  return {
    id: messageIdOf(event),
    event: { source, id },
    subject: natsSubject(event.subject),
    headers: { "content-type": "application/cloudevents+json" },
    body,
  };
}

type EventAddress = Pick<CloudEvent, "id" | "source" | "subject">;

/** `product/4711` → `shop.product.4711`; `settings` → `shop.settings`; an agent's label as base64url. */
export function natsSubject(subject: string): string {
  const slash = subject.indexOf("/");
  if (slash < 0) return `shop.${subject}`;
  const entity = subject.slice(0, slash);
  const id = subject.slice(slash + 1);
  return `shop.${entity}.${entity === "agent" ? Buffer.from(id).toString("base64url") : id}`;
}
