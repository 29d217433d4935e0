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

/** Replay of an entity's events in memory, with the effect of each. */
export interface Trace {
  readonly groups: readonly GroupTrace[];
  /** Rejected events, oldest first. */
  readonly refused: { count: number; newest: RefusedEvent[] };
  /** @returns the row that the replayed events yield; undefined when there is none */
  rowOf(group: GroupKind): unknown;
  /** @param deadLetter the model's dead letter of the record; undefined when the model accepted the event */
  fold(record: LogRecord, deadLetter: DeadLetter | undefined): void;
}

/**
 * @param modelRows the model's row of each group
 * @param limit maximum number of effects kept for each group; all events are counted
 */
export const openTrace = (
  entity: NamedEntity,
  modelRows: ReadonlyMap<GroupKind, unknown>,
  rendering: Rendering,
  limit: number,
): Trace => {
  const batch = openBatch(emptyTables);
  const currentRow = ({ table }: GroupKind): unknown => readRow(batch, table, entity.key);
  const groups = entity.groups.map((kind) =>
    newGroupTrace(kind, kind.stampOf(modelRows.get(kind))),
  );
  const rejected: Trace["refused"] = { count: 0, newest: [] };
  const reject = (record: LogRecord, deadLetter: DeadLetter): void => {
    rejected.count += 1;
    keepNewest(rejected.newest, toRejectedEvent(record, deadLetter), limit);
  };
  return {
    groups,
    refused: rejected,
    rowOf: currentRow,
    fold(record, deadLetter) {
      if (deadLetter) return reject(record, deadLetter);
      const decoded = decode(record);
      if (decoded.ok && !entity.events.has(decoded.event.subject)) return;
      const before = groups.map(({ kind }) => currentRow(kind));
      const outcome: Told = tell(batch, record, rendering, decoded);
      if (outcome.deadLetter) return reject(record, outcome.deadLetter);
      if (!decoded.ok) return;
      for (const [index, group] of groups.entries()) {
        const change = { before: before[index], after: currentRow(group.kind) };
        note(group, record, decoded.event, change, limit);
      }
    },
  };
};

const emptyTables: Tables = {
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

const toRejectedEvent = (record: LogRecord, { code, field, reason }: DeadLetter): RefusedEvent => ({
  sequence: record.sequence,
  logTime: new Date(record.time).toISOString(),
  subject: record.subject,
  code,
  field,
  reason,
});
