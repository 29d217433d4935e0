import { createHash } from "node:crypto";
import type { EventIdentity } from "../../events/identity.ts";
import { isMessageOf } from "../../events/same-event.ts";
import type { NewMessage } from "../event-log.ts";
import { decodeRecord } from "./format.ts";
import { type Journal, mustBeOpen, reading } from "./tables.ts";

/**
 * Makes the key of a message id in the table `ids`. LMDB takes keys up to 1978 bytes: a longer id is known by its
 * digest, and no id can look like one.
 */
export function idKey(id: string): Buffer {
  const key = Buffer.from(`=${id}`);
  return key.length <= 512 ? key : Buffer.from(`#${createHash("sha256").update(id).digest("hex")}`);
}

/** As `sequenceOf`, of the journal as it is now. */
export function sequenceNow(journal: Journal, message: NewMessage): number | undefined {
  mustBeOpen(journal);
  journal.env.root.resetReadTxn();
  return reading(journal, () => sequenceOf(journal, message));
}

/** Finds the sequence that holds a message, in the transaction that is open. */
export function sequenceOf(journal: Journal, { id, event }: NewMessage): number | undefined {
  return journal.ids.get(idKey(id)) ?? (event && sequenceByEventId(journal, event));
}

/**
 * Finds an event that an earlier version appended, under the event's id alone. Another source may have used that id:
 * then, and when the record was trimmed, the event is not known.
 */
function sequenceByEventId({ ids, events }: Journal, event: EventIdentity): number | undefined {
  const sequence = ids.get(idKey(event.id));
  const bytes = sequence === undefined ? undefined : events.get(sequence);
  const record = sequence === undefined || !bytes ? undefined : decodeRecord(sequence, bytes);
  return record && isMessageOf(record, event) ? sequence : undefined;
}
