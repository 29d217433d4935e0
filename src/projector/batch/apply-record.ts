import type { HtmlRenderer } from "../../../projections/field-group.ts";
import { messageOf, VitrineError } from "../../errors.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { type DecodeResult, decode } from "../../events/decode.ts";
import type { EventOfType, ShopEvent } from "../../events/event.ts";
import { quoteForMessage } from "../../events/rejection.ts";
import { isDiskError } from "../../lmdb/error-codes.ts";
import type { DeadLetter } from "../../read-model/schema/checkpoint.ts";
import { type EvolveOutcome, evolve } from "./evolve.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/** Outcome of one record. */
export interface RecordOutcome {
  readonly counts: "applied" | "stale" | "repeated" | "rejected";
  /** Event time; 0 for a rejected record. */
  readonly time: number;
  readonly deadLetter?: DeadLetter;
  /** Characters of HTML that are rendered when the batch is written; absent for a rejected record. */
  readonly html?: number;
  /** Id of the product whose core the event is about. */
  readonly product?: number;
}

/**
 * Applies one record to a unit of work. A rejected record is returned as a dead letter.
 * @throws `projection` when the projection itself fails
 */
export const applyRecord = (
  unit: UnitOfWork,
  record: LogRecord,
  rendering: HtmlRenderer,
  decoded: DecodeResult = decode(record),
): RecordOutcome => {
  if (!decoded.ok) {
    return { counts: "rejected", time: 0, deadLetter: buildDeadLetter(record, decoded.rejection) };
  }
  const { event } = decoded;
  const outcome = evolveOrFail(unit, event, rendering);
  if (outcome.outcome === "refused") {
    const { reason, field } = outcome;
    const deadLetter = buildDeadLetter(record, { code: "refused", reason, field });
    return { counts: "rejected", time: 0, deadLetter };
  }
  const html = getHtml(event)?.length ?? 0;
  const result = { counts: outcome.outcome, time: event.time, html };
  return isProductEvent(event) ? { ...result, product: event.data.id } : result;
};

const isProductEvent = (
  event: ShopEvent,
): event is EventOfType<
  "shop.product.upserted" | "shop.product.patched" | "shop.product.deleted"
> => event.type.startsWith("shop.product.");

const evolveOrFail = (
  unit: UnitOfWork,
  event: ShopEvent,
  rendering: HtmlRenderer,
): EvolveOutcome => {
  const fail = (cause: unknown): never => {
    throw toEventError(event, cause);
  };
  try {
    return evolve(unit, event, getHtml(event) ? renderOrFail(rendering, fail) : rendering);
  } catch (cause) {
    return fail(cause);
  }
};

const getHtml = ({ data }: ShopEvent): string | null | undefined =>
  "descriptionHtml" in data
    ? data.descriptionHtml
    : "contentHtml" in data
      ? data.contentHtml
      : null;

/** Wraps the rendering functions: rendering is lazy and may fail after the event was applied, and the error still names it. */
const renderOrFail = (rendering: HtmlRenderer, fail: (cause: unknown) => never): HtmlRenderer => {
  const orFail =
    <T>(render: (html: string) => T) =>
    (html: string): T => {
      try {
        return render(html);
      } catch (cause) {
        return fail(cause);
      }
    };
  const { hashHtml, cleanText, toPlainText, markdown, summary } = rendering;
  return {
    hashHtml,
    cleanText,
    toPlainText: orFail(toPlainText),
    markdown: orFail(markdown),
    summary: orFail(summary),
  };
};

const toEventError = (event: ShopEvent, cause: unknown): unknown =>
  toProjectionError(
    `${event.type} failed at sequence ${event.logSequence} (event ${quoteForMessage(event.id)})`,
    cause,
  );

/** Builds a projection error. A damaged model page and an error of LMDB or the system are returned unchanged. */
const toProjectionError = (location: string, cause: unknown): unknown =>
  cause instanceof VitrineError || isDiskError(cause)
    ? cause
    : new VitrineError(
        "projection",
        `the projection of ${location}: ${messageOf(cause)}`,
        "this is a bug in Vitrine, not in the event; reads go on with the model as it is",
        cause,
      );

/**
 * Builds the error of a batch that cannot be written. The error names all its events, because derived rows follow from
 * several events. Errors of LMDB and the system are returned unchanged, because a retry may succeed.
 * @param from sequence of the first event
 * @param to sequence of the last event
 */
export const toBatchError = (cause: unknown, from: number, to: number): unknown =>
  toProjectionError(
    `what follows from events failed at sequence ${to} (events ${from} to ${to})`,
    cause,
  );

/** Builds the dead letter of a rejected record. */
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
