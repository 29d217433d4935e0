import type { Rendering } from "../../../projections/field-group.ts";
import { messageOf, VitrineError } from "../../errors.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { type Decoded, decode } from "../../events/decode.ts";
import type { EventOfType, ShopEvent } from "../../events/event.ts";
import { shown } from "../../events/rejection.ts";
import { isOfDisk } from "../../lmdb/error-codes.ts";
import type { DeadLetter } from "../../read-model/schema/checkpoint.ts";
import { fold, type Outcome } from "./evolve.ts";
import type { Batch } from "./unit-of-work.ts";

/** How one record ended. */
export interface Told {
  readonly counts: "applied" | "stale" | "repeated" | "rejected";
  /** Event time; 0 for what was no event. */
  readonly time: number;
  readonly deadLetter?: DeadLetter;
  /** Characters of HTML that are rendered when the batch is written; absent without any. */
  readonly html?: number;
  /** The product whose core was told of. */
  readonly product?: number;
}

/**
 * Folds one record into a batch; what cannot be folded comes back as a dead letter.
 * @throws `projection` when the projection itself fails.
 */
export const tell = (
  batch: Batch,
  record: LogRecord,
  rendering: Rendering,
  decoded: Decoded = decode(record),
): Told => {
  if (!decoded.ok) {
    return { counts: "rejected", time: 0, deadLetter: deadLetterOf(record, decoded.rejection) };
  }
  const { event } = decoded;
  const outcome = foldOrStop(batch, event, rendering);
  if (outcome.outcome === "refused") {
    const { reason, field } = outcome;
    const deadLetter = deadLetterOf(record, { code: "refused", reason, field });
    return { counts: "rejected", time: 0, deadLetter };
  }
  const html = htmlOf(event)?.length ?? 0;
  const told = { counts: outcome.outcome, time: event.time, html };
  return isOfCore(event) ? { ...told, product: event.data.id } : told;
};

const isOfCore = (
  event: ShopEvent,
): event is EventOfType<
  "shop.product.upserted" | "shop.product.patched" | "shop.product.deleted"
> => event.type.startsWith("shop.product.");

const foldOrStop = (batch: Batch, event: ShopEvent, rendering: Rendering): Outcome => {
  const stop = (cause: unknown): never => {
    throw faultOf(event, cause);
  };
  try {
    return fold(batch, event, htmlOf(event) ? stoppingAt(rendering, stop) : rendering);
  } catch (cause) {
    return stop(cause);
  }
};

const htmlOf = ({ data }: ShopEvent): string | null | undefined =>
  "descriptionHtml" in data
    ? data.descriptionHtml
    : "contentHtml" in data
      ? data.contentHtml
      : null;

/** What is rendered may be so long after its event was folded: a fault names the event all the same. */
const stoppingAt = (rendering: Rendering, stop: (cause: unknown) => never): Rendering => {
  const stopping =
    <T>(render: (html: string) => T) =>
    (html: string): T => {
      try {
        return render(html);
      } catch (cause) {
        return stop(cause);
      }
    };
  const { fingerprint, plain, text, markdown, summary } = rendering;
  return {
    fingerprint,
    plain,
    text: stopping(text),
    markdown: stopping(markdown),
    summary: stopping(summary),
  };
};

const faultOf = (event: ShopEvent, cause: unknown): unknown =>
  faultAt(
    `${event.type} failed at sequence ${event.logSequence} (event ${shown(event.id)})`,
    cause,
  );

/** Such as a damaged page of the model, or what LMDB or the system lacks, is no fault of a projection. */
const faultAt = (place: string, cause: unknown): unknown =>
  cause instanceof VitrineError || isOfDisk(cause)
    ? cause
    : new VitrineError(
        "projection",
        `the projection of ${place}: ${messageOf(cause)}`,
        "this is a bug in Vitrine, not in the event; reads go on with the model as it is",
        cause,
      );

/**
 * What to throw when a batch cannot be written: what follows from several events names them all, and what LMDB or the
 * system says passes as it is, as it may be well the next time.
 * @param from sequence of the first event, @param to of the last
 */
export const faultOfBatch = (cause: unknown, from: number, to: number): unknown =>
  faultAt(`what follows from events failed at sequence ${to} (events ${from} to ${to})`, cause);

/** What is kept of a refused event. */
export const deadLetterOf = (
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
