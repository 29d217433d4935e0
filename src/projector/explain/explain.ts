import { isSameEvent, type Rendering } from "../../../projections/field-group.ts";
import type { EventLog, LogBounds } from "../../event-log/event-log.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import { type Table, tables } from "../../read-model/schema/tables.ts";
import type { Store, Tables } from "../../read-model/store/store.ts";
import { checkLog, type Divergence } from "../continuity.ts";
import { mustBeOfThisVersion } from "../projection-version.ts";
import { entityOf, type NamedEntity } from "./entity.ts";
import type { ExplainedGroup, Explanation, Writer } from "./explanation.ts";
import { shortenedFields } from "./field-changes.ts";
import type { GroupKind } from "./field-groups.ts";
import { type GroupTrace, writerOf } from "./record-effect.ts";
import { openTrace, type Trace } from "./trace.ts";

export interface ExplainOptions {
  /** How many events of each group are told, the newest ones; all of them are counted. 10 unless told. */
  readonly limit?: number;
}

/**
 * Tells which events made an entity what it is: those of its own subjects are read from the log and folded once
 * more, beside the model, up to its checkpoint. Changes nothing.
 * @param entity `product/4711`, `category/12`, `agent/LABEL`, `settings` …
 * @throws `usage` when it is no entity; `event_log` when the log cannot be reached; `outdated` when
 * another version wrote the model
 */
export const explainEntity = async (
  eventLog: EventLog,
  store: Store,
  rendering: Rendering,
  entity: string,
  { limit = 10 }: ExplainOptions = {},
): Promise<Explanation> => {
  const named = entityOf(entity);
  store.refresh();
  mustBeOfThisVersion(store);
  const checkpoint = store.get(tables.meta, "checkpoint");
  const model = new Map(named.groups.map((kind) => [kind, modelRow(store, kind, named.key)]));
  const bounds = await eventLog.bounds();
  const divergence = checkpoint && (await checkLog(checkpoint, eventLog));
  const trace = openTrace(named, model, rendering, limit);
  const waiting = divergence ? 0 : await replay(eventLog, store, named, checkpoint, trace);
  const history = { bounds, divergence };
  const groups = trace.groups.map((group) => explainGroup(group, trace, model, history));
  return {
    entity,
    known: waiting > 0 || trace.refused.count > 0 || groups.some(isTold),
    checkpoint: checkpoint?.sequence ?? 0,
    log: { address: eventLog.address, first: bounds.first, last: bounds.last },
    groups,
    refused: { count: trace.refused.count, newest: trace.refused.newest.toReversed() },
    waiting,
    notes: notesOf(groups, history),
  };
};

/** What the log can be believed of the past. */
interface History {
  readonly bounds: LogBounds;
  readonly divergence: Divergence | undefined;
}

const modelRow = (stored: Tables, { table }: GroupKind, key: string | number): unknown =>
  stored.get(tables[table] as Table<string | number, unknown>, key);

/** @returns how many events of the entity are behind the checkpoint */
const replay = async (
  eventLog: EventLog,
  store: Store,
  { subjects }: NamedEntity,
  checkpoint: Checkpoint | undefined,
  trace: Trace,
): Promise<number> => {
  const after = Math.max(0, (await eventLog.bounds()).first - 1);
  let waiting = 0;
  for await (const records of eventLog.read({ after, isFirst: true, follow: false, subjects })) {
    for (const record of records) {
      if (record.sequence > (checkpoint?.sequence ?? 0)) waiting += 1;
      else trace.fold(record, store.get(tables.deadLetters, record.sequence));
    }
  }
  return waiting;
};

const isTold = ({ state, counts }: ExplainedGroup): boolean =>
  state !== "unknown" || Object.values(counts).some((count) => count > 0);

const explainGroup = (
  group: GroupTrace,
  trace: Trace,
  model: ReadonlyMap<GroupKind, unknown>,
  history: History,
): ExplainedGroup => {
  const { kind, counts, tellings } = group;
  const row = model.get(kind);
  const fields = kind.fieldsOf(row);
  const writtenBy = lastWriterOf(group, row, trace);
  return {
    name: kind.name,
    state: fields === undefined ? "unknown" : fields === null ? "deleted" : "present",
    fields: shortenedFields(fields ?? {}),
    writtenBy,
    agreement: agreementOf(kind, row, trace.rowOf(kind), writtenBy, history),
    counts,
    tellings: tellings.toReversed(),
  };
};

/** A row without a stamp was written by whatever last made it what it is. */
const lastWriterOf = (group: GroupTrace, row: unknown, trace: Trace): Writer | null => {
  if (group.sought) return group.found ?? { sequence: null, ...writerOf(group.sought) };
  const isSame =
    row !== undefined && JSON.stringify(row) === JSON.stringify(trace.rowOf(group.kind));
  return (isSame && [...group.writers.values()].sort((a, b) => placeOf(b) - placeOf(a))[0]) || null;
};

const placeOf = ({ sequence }: Writer): number => sequence ?? 0;

const agreementOf = (
  kind: GroupKind,
  row: unknown,
  folded: unknown,
  writtenBy: Writer | null,
  { bounds, divergence }: History,
): ExplainedGroup["agreement"] => {
  if (divergence) return "incomplete";
  const sameFields = JSON.stringify(kind.fieldsOf(row)) === JSON.stringify(kind.fieldsOf(folded));
  const [one, other] = [kind.stampOf(row), kind.stampOf(folded)];
  const sameStamp = one && other ? isSameEvent(one, other) : one === other;
  if (sameFields && sameStamp) return "agrees";
  if (writtenBy?.sequence === null) return "missing";
  return bounds.first > 1 ? "incomplete" : "differs";
};

const notesOf = (
  groups: readonly ExplainedGroup[],
  { bounds, divergence }: History,
): readonly string[] => [
  ...(divergence ? [`${divergence.reason}; so only the model is told of here`] : []),
  ...(bounds.first > 1 && !divergence
    ? [`the log begins at sequence ${bounds.first}: what was told before is not shown`]
    : []),
  ...groups.flatMap(({ name, agreement, writtenBy }) => {
    if (agreement === "missing" && writtenBy) {
      return [
        `the log does not hold event ${writtenBy.id} of ${writtenBy.time}, which wrote ${name}`,
      ];
    }
    return agreement === "differs"
      ? [`the log's events make another ${name} than the model holds: vitrine verify tells more`]
      : [];
  }),
];
