import { applyEvent, isEventOf } from "../../../projections/entities.ts";
import type { TextCleaner } from "../../../projections/projection.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { type DecodeResult, decode } from "../../events/decode.ts";
import type { DeadLetter } from "../../read-model/schema/checkpoint.ts";
import { nameEventOnError } from "../unit-of-work/projection-errors.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";

export interface RecordOutcome {
  readonly counts: "applied" | "stale" | "repeated" | "rejected";
  /** Event time; 0 for a rejected record. */
  readonly time: number;
  readonly deadLetter?: DeadLetter;
  /** Bytes of an event that may state texts, which are rendered or indexed when the batch is written. */
  readonly textBytes: number;
  /** Id of the product whose texts, or those of its variants, the event may change. */
  readonly product?: number;
}

/**
 * Applies one record to a unit of work. A rejected record is returned as a dead letter.
 * @throws `projection` when the projection itself fails
 */
export const applyRecord = (
  unit: UnitOfWork,
  record: LogRecord,
  text: TextCleaner,
  decoded: DecodeResult = decode(record),
): RecordOutcome => {
  if (!decoded.ok) return toRejectedOutcome(buildDeadLetter(record, decoded.rejection));
  const { event } = decoded;
  unit.beginEvent(record.sequence);
  const outcome = nameEventOnError(event, () => applyEvent(unit, event, text));
  if (outcome.outcome === "refused") {
    const { reason, field } = outcome;
    return toRejectedOutcome(buildDeadLetter(record, { code: "refused", reason, field }));
  }
  const hasTexts = !isEventOf("price", event) && !isEventOf("stock", event);
  const textBytes = hasTexts ? record.body.length : 0;
  const result = { counts: outcome.outcome, time: event.time, textBytes };
  if (isEventOf("variant", event)) return { product: event.data.productId, ...result };
  return isEventOf("product", event) ? { product: event.data.id, ...result } : result;
};

export const toRejectedOutcome = (deadLetter: DeadLetter): RecordOutcome => ({
  counts: "rejected",
  time: 0,
  deadLetter,
  textBytes: 0,
});

export const buildDeadLetter = (
  record: LogRecord,
  { code, reason, field }: Pick<DeadLetter, "code" | "reason" | "field">,
): DeadLetter => ({
  sequence: record.sequence,
  subject: record.subject,
  headers: Object.fromEntries(
    Object.entries(record.headers).filter(([name]) => /^(content-type$|ce-)/.test(name)),
  ),
  body: Buffer.from(record.body).toString("base64"),
  code,
  reason,
  field,
});
