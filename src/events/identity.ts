import { createHash } from "node:crypto";

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
