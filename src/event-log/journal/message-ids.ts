import { createHash } from "node:crypto";
import type { EventIdentity } from "../../events/envelope.ts";
import { isMessageOf } from "../../events/same-event.ts";
import type { NewMessage } from "../event-log.ts";
import { decodeRecord } from "./format.ts";
import { assertOpen, type Journal, mapCorruption } from "./tables.ts";

/**
 * Builds the key of a message id in the table `ids`. LMDB accepts keys up to 1978 bytes, so the digest replaces a
 * long id; the prefix distinguishes ids from digests.
 */
export function idKey(id: string): Buffer {
  const key = Buffer.from(`=${id}`);
  return key.length <= 512 ? key : Buffer.from(`#${createHash("sha256").update(id).digest("hex")}`);
}

/** Finds the sequence of a message in the latest snapshot. */
export function findSequenceNow(journal: Journal, message: NewMessage): number | undefined {
  assertOpen(journal);
  journal.env.root.resetReadTxn();
  return mapCorruption(journal, () => findSequence(journal, message));
}

/** Finds the sequence of a message in the current transaction. */
export function findSequence(journal: Journal, { id, event }: NewMessage): number | undefined {
  return journal.ids.get(idKey(id)) ?? (event && sequenceByEventId(journal, event));
}

/**
 * Finds an event that an earlier version appended under the event's id alone. When another source used that id, or
 * the record was trimmed, the event counts as new.
 */
function sequenceByEventId({ ids, events }: Journal, event: EventIdentity): number | undefined {
  const sequence = ids.get(idKey(event.id));
  const bytes = sequence === undefined ? undefined : events.get(sequence);
  const record = sequence === undefined || !bytes ? undefined : decodeRecord(sequence, bytes);
  return record && isMessageOf(record, event) ? sequence : undefined;
}
