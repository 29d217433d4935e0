import { isSameEvent } from "../../../projections/field-group.ts";
import type { HtmlRenderer } from "../../../projections/projection.ts";
import type { EventLog, LogBounds } from "../../event-log/event-log.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { readCheckpoint, type Store } from "../../read-model/store/store.ts";
import { type Divergence, findDivergence } from "../continuity/continuity.ts";
import { readContinuous } from "../continuity/read-continuous.ts";
import { assertCurrentVersion } from "../projection-version.ts";
import { openUnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { type ExplainedEntity, parseEntityName } from "./entity.ts";
import type { EventRef, ExplainedGroup, Explanation } from "./explanation.ts";
import { truncateFields } from "./field-changes.ts";
import type { FieldGroupKind } from "./field-groups.ts";
import { type GroupTrace, toEventRef } from "./record-effect.ts";
import { openTrace, type Trace } from "./trace.ts";

export interface ExplainOptions {
  /** Maximum number of events listed for each group, the newest ones. All are counted. Default 10. */
  readonly limit?: number;
}

/**
 * Explains which events produced an entity's current values.
 * Replays the events of its subjects from the log into memory, up to the model's checkpoint. Changes nothing.
 * @param entity `product/4711`, `category/12`, `agent/LABEL`, `settings` …
 * @throws `usage` when there is no such entity; `event_log` when the log cannot be reached; `outdated` when another
 * version wrote the model
 */
export const explainEntity = async (
  eventLog: EventLog,
  store: Store,
  rendering: HtmlRenderer,
  entity: string,
  { limit = 10 }: ExplainOptions = {},
): Promise<Explanation> => {
  const ref = parseEntityName(entity);
  store.refresh();
  assertCurrentVersion(store);
  const checkpoint = readCheckpoint(store);
  const stored = openUnitOfWork(store);
  const modelRows = new Map(ref.groups.map((kind) => [kind, kind.readRow(stored, ref.key)]));
  const bounds = await eventLog.bounds();
  const divergence = checkpoint && (await findDivergence(checkpoint, eventLog));
  const trace = openTrace(ref, modelRows, rendering, limit);
  const waiting = divergence ? 0 : await replay(eventLog, store, ref, checkpoint, trace);
  const history = { bounds, divergence };
  const groups = trace.groups
    .map((group) => explainGroup(group, trace, modelRows, history))
    .filter((group) => hasData(group) || group.name !== "variants");
  return {
    entity,
    found: waiting > 0 || trace.rejected.count > 0 || groups.some(hasData),
    checkpoint: checkpoint?.sequence ?? 0,
    log: { address: eventLog.address, first: bounds.first, last: bounds.last },
    groups,
    refused: { count: trace.rejected.count, newest: trace.rejected.newest.toReversed() },
    waiting,
    notes: formatNotes(groups, history),
  };
};

/** Limits of what the log can prove about past events. */
interface History {
  readonly bounds: LogBounds;
  readonly divergence: Divergence | undefined;
}

/** @returns the number of the entity's events after the checkpoint */
const replay = async (
  eventLog: EventLog,
  store: Store,
  { subjects }: ExplainedEntity,
  checkpoint: Checkpoint | undefined,
  trace: Trace,
): Promise<number> => {
  const after = Math.max(0, (await eventLog.bounds()).first - 1);
  let waiting = 0;
  const options = { after, allowLateStart: true, follow: false, subjects };
  for await (const records of readContinuous(eventLog, options)) {
    for (const record of records) {
      if (record.sequence > (checkpoint?.sequence ?? 0)) waiting += 1;
      else trace.apply(record, store.get(tables.deadLetters, record.sequence));
    }
  }
  return waiting;
};

const hasData = ({ state, counts }: ExplainedGroup): boolean =>
  state !== "unknown" || Object.values(counts).some((count) => count > 0);

const explainGroup = (
  group: GroupTrace,
  trace: Trace,
  modelRows: ReadonlyMap<FieldGroupKind, unknown>,
  history: History,
): ExplainedGroup => {
  const { kind, counts, effects } = group;
  const row = modelRows.get(kind);
  const read = kind.readFields(row);
  // A list has no tombstones of its entries: an event of this one makes a missing entry a deleted one.
  const isEnded = kind.name === "entry" && Object.values(counts).some((count) => count > 0);
  const fields = read ?? (isEnded ? null : read);
  const writtenBy = fields === undefined ? null : findLastWriter(group, row, trace);
  return {
    name: kind.name,
    state: fields === undefined ? "unknown" : fields === null ? "deleted" : "present",
    fields: truncateFields(fields ?? {}),
    writtenBy,
    agreement: checkAgreement(kind, row, trace.currentRow(kind), writtenBy, history),
    counts,
    effects: effects.toReversed(),
  };
};

/**
 * Finds the event that wrote a group's row.
 * A row without a version was written by the latest applied event, if the replay yields the same row.
 * @returns null when that event cannot be determined
 */
const findLastWriter = (group: GroupTrace, row: unknown, trace: Trace): EventRef | null => {
  if (group.storedVersion)
    return group.storedWriter ?? { sequence: null, ...toEventRef(group.storedVersion) };
  const isSame =
    row !== undefined && JSON.stringify(row) === JSON.stringify(trace.currentRow(group.kind));
  return (
    (isSame &&
      [...group.latestApplied.values()].sort((a, b) => positionOf(b) - positionOf(a))[0]) ||
    null
  );
};

const positionOf = ({ sequence }: EventRef): number => sequence ?? 0;

const checkAgreement = (
  kind: FieldGroupKind,
  row: unknown,
  replayed: unknown,
  writtenBy: EventRef | null,
  { bounds, divergence }: History,
): ExplainedGroup["agreement"] => {
  if (divergence) return "incomplete";
  const sameFields =
    JSON.stringify(kind.readFields(row)) === JSON.stringify(kind.readFields(replayed));
  const [version, replayedVersion] = [kind.readVersion(row), kind.readVersion(replayed)];
  const sameVersion =
    version && replayedVersion
      ? isSameEvent(version, replayedVersion)
      : version === replayedVersion;
  if (sameFields && sameVersion) return "agrees";
  if (writtenBy?.sequence === null) return "missing";
  return bounds.first > 1 ? "incomplete" : "differs";
};

const formatNotes = (
  groups: readonly ExplainedGroup[],
  { bounds, divergence }: History,
): readonly string[] => [
  ...(divergence ? [`${divergence.reason}; so only the model is shown`] : []),
  ...(bounds.first > 1 && !divergence
    ? [`the log begins at sequence ${bounds.first}: earlier events are not shown`]
    : []),
  ...groups.flatMap(({ name, agreement, writtenBy }) => {
    if (agreement === "missing" && writtenBy) {
      return [
        `the log does not hold event ${writtenBy.id} of ${writtenBy.time}, which wrote ${name}`,
      ];
    }
    return agreement === "differs"
      ? [
          `a replay of the log gives another ${name} than the model holds: vitrine verify shows the differences`,
        ]
      : [];
  }),
];
