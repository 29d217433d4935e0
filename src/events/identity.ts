import { createHash } from "node:crypto";

/** What an event is known by: an id is unique per source only. */
export interface EventIdentity {
  readonly source: string;
  readonly id: string;
}

/**
 * Makes the id under which a log stores an event once: `Nats-Msg-Id` at a broker, a key in the journal.
 * It is source and id with a space between, because no source has one; in place of a text that is long, or that a
 * header cannot carry as it is, its digest. The published contract names this form (`schema/asyncapi.yaml`).
 */
export function messageIdOf({ source, id }: EventIdentity): string {
  const text = `${source} ${id}`;
  if (text.length <= maxMessageIdLength && sourceAndId.test(text)) return text;
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

const maxMessageIdLength = 250;
/** In visible ASCII, with the one space. */
const sourceAndId = /^[!-~]+ [!-~]+$/;
