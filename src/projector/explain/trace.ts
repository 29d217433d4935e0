import type { HtmlRenderer } from "../../../projections/projection.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { decode } from "../../events/decode.ts";
import { isFromProducer } from "../../events/message-content.ts";
import type { DeadLetter } from "../../read-model/schema/checkpoint.ts";
import { applyRecord, type RecordOutcome } from "../batch/apply-record.ts";
import { openUnitOfWork, renderUnitOfWork } from "../unit-of-work/unit-of-work.ts";
import type { ExplainedEntity } from "./entity.ts";
import type { RejectedEvent } from "./explanation.ts";
import type { FieldGroupKind } from "./field-groups.ts";
import { newGroupTrace, pushBounded, recordEffect } from "./record-effect.ts";

export type Trace = ReturnType<typeof openTrace>;

/**
 * Opens a replay of an entity's events in memory, with the effect of each.
 * @param modelRows the model's row of each group
 * @param limit maximum number of effects kept for each group; all events are counted
 */
export const openTrace = (
  entity: ExplainedEntity,
  modelRows: ReadonlyMap<FieldGroupKind, unknown>,
  rendering: HtmlRenderer,
  limit: number,
) => {
  const batch = openUnitOfWork({ get: () => undefined });
  /** @returns the row that the replayed events yield; undefined when there is none */
  const currentRow = (kind: FieldGroupKind): unknown => kind.readRow(batch, entity.key);
  const groups = entity.groups.map((kind) =>
    newGroupTrace(kind, kind.readVersion(modelRows.get(kind))),
  );
  /** Rejected events, oldest first. */
  const rejected = { count: 0, newest: [] as RejectedEvent[] };
  const reject = (record: LogRecord, deadLetter: DeadLetter): void => {
    rejected.count += 1;
    pushBounded(rejected.newest, toRejectedEvent(record, deadLetter), limit);
  };
  return {
    groups,
    rejected,
    currentRow,
    /** @param deadLetter the model's dead letter of the record; undefined when the model accepted the event */
    apply(record: LogRecord, deadLetter: DeadLetter | undefined) {
      if (!isFromProducer(record)) return;
      if (deadLetter) return reject(record, deadLetter);
      const decoded = decode(record);
      if (decoded.ok && !entity.events.has(decoded.event.subject)) return;
      const before = groups.map(({ kind }) => currentRow(kind));
      const outcome: RecordOutcome = applyRecord(batch, record, rendering, decoded);
      if (outcome.deadLetter) return reject(record, outcome.deadLetter);
      if (!decoded.ok) return;
      renderUnitOfWork(batch, rendering);
      for (const [index, group] of groups.entries()) {
        const change = { before: before[index], after: currentRow(group.kind) };
        recordEffect(group, record, decoded.event, change, limit);
      }
    },
  };
};

const toRejectedEvent = (
  record: LogRecord,
  { code, field, reason }: DeadLetter,
): RejectedEvent => ({
  sequence: record.sequence,
  logTime: new Date(record.time).toISOString(),
  subject: record.subject,
  code,
  field,
  reason,
});
