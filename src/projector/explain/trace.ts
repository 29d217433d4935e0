import type { Rendering } from "../../../projections/field-group.ts";
import { VitrineError } from "../../errors.ts";
import type { LogRecord } from "../../event-log/event-log.ts";
import { decode } from "../../events/decode.ts";
import type { DeadLetter } from "../../read-model/schema/checkpoint.ts";
import type { Tables } from "../../read-model/store/store.ts";
import { type Told, tell } from "../batch/apply-record.ts";
import { type Batch, openBatch } from "../batch/unit-of-work.ts";
import type { NamedEntity } from "./entity.ts";
import type { RefusedEvent } from "./explanation.ts";
import type { GroupKind } from "./field-groups.ts";
import { type GroupTrace, keepNewest, newGroupTrace, note } from "./record-effect.ts";

/** An entity's events as they are folded once more, beside the model, and what each did. */
export interface Trace {
  readonly groups: readonly GroupTrace[];
  /** Oldest first. */
  readonly refused: { count: number; newest: RefusedEvent[] };
  /** The row that the events make. */
  rowOf(group: GroupKind): unknown;
  /** @param letter what the model keeps of the record when it was refused */
  fold(record: LogRecord, letter: DeadLetter | undefined): void;
}

/**
 * @param model the row the model holds of each group
 * @param limit how many events of each group are kept; all are counted
 */
export const openTrace = (
  entity: NamedEntity,
  model: ReadonlyMap<GroupKind, unknown>,
  rendering: Rendering,
  limit: number,
): Trace => {
  const batch = openBatch(noRows);
  const rowOf = ({ table }: GroupKind): unknown => readRow(batch, table, entity.key);
  const groups = entity.groups.map((kind) => newGroupTrace(kind, kind.stampOf(model.get(kind))));
  const refused: Trace["refused"] = { count: 0, newest: [] };
  const refuse = (record: LogRecord, letter: DeadLetter): void => {
    refused.count += 1;
    keepNewest(refused.newest, refusedEvent(record, letter), limit);
  };
  return {
    groups,
    refused,
    rowOf,
    fold(record, letter) {
      if (letter) return refuse(record, letter);
      const decoded = decode(record);
      if (decoded.ok && !entity.events.has(decoded.event.subject)) return;
      const before = groups.map(({ kind }) => rowOf(kind));
      const told: Told = tell(batch, record, rendering, decoded);
      if (told.deadLetter) return refuse(record, told.deadLetter);
      if (!decoded.ok) return;
      for (const [at, group] of groups.entries()) {
        const step = { before: before[at], after: rowOf(group.kind) };
        note(group, record, decoded.event, step, limit);
      }
    },
  };
};

const noRows: Tables = {
  get: () => undefined,
  text: () => undefined,
  stretch: () => ({ ids: [], texts: [] }),
  has: () => false,
  lost: ({ name }) => new VitrineError("model_damaged", `no row of "${name}" is kept here`),
  keys: () => [],
  entries: () => [],
};

const readRow = (batch: Batch, table: keyof Batch, key: string | number): unknown =>
  (batch[table] as { get(key: string | number): unknown }).get(key);

const refusedEvent = (record: LogRecord, { code, field, reason }: DeadLetter): RefusedEvent => ({
  sequence: record.sequence,
  logTime: new Date(record.time).toISOString(),
  subject: record.subject,
  code,
  field,
  reason,
});
