import { setImmediate as nextTurn } from "node:timers/promises";
import { type Projection, projections, tablesOf } from "../../../projections/index.ts";
import {
  type EntityTable,
  entityTables,
  type KeyOf,
  type RowOf,
} from "../../../projections/projection.ts";
import { VitrineError } from "../../errors.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import { type Table, tables } from "../../read-model/schema/tables.ts";
import { readCheckpoint } from "../../read-model/store/read-checkpoint.ts";
import { openStore, type PinnedSnapshot } from "../../read-model/store/store.ts";
import { describeTextDataChange } from "../../text/text-data.ts";
import { derive } from "../derive/derive.ts";
import type { Generation } from "../open-generation.ts";
import { hasOtherTextData } from "../projection-version.ts";
import { openUnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { mapWriteError } from "./replay.ts";

const maxRowsPerTransaction = 1000;

/**
 * Copies the rows of all other projections and all dead letters from one snapshot of the live generation, and builds the derived
 * rows.
 * @param live directory of the live generation
 * @returns the checkpoint of the live generation at that snapshot
 * @throws `usage` when other projections or the text data changed too; `no_model` when the live generation is empty
 */
export const copyOtherProjections = async (
  projection: Projection,
  live: string,
  generation: Generation,
  signal: AbortSignal,
): Promise<Checkpoint> => {
  const store = openStore(live, { readOnly: true });
  const snapshot = store.pin();
  try {
    const checkpoint = assertOthersUnchanged(projection, readCheckpoint(snapshot));
    const own = tablesOf(projection);
    const others = [...copiedTables].filter((table) => !own.has(table));
    for (const table of others) await copyTable(table, snapshot, generation, signal);
    const deadLetters = [...snapshot.entries(tables.deadLetters)];
    mapWriteError(generation, () =>
      generation.store.transaction((stored) => {
        for (const [sequence, deadLetter] of deadLetters) {
          stored.put(tables.deadLetters, sequence, deadLetter);
        }
        derive(openUnitOfWork(stored), stored, deadLetters.length);
      }),
    );
    return checkpoint;
  } finally {
    snapshot.release();
    await store.close();
  }
};

/**
 * Lists the tables that are copied first: the settings, because the tokenizer needs the shop's language, and then the product
 * texts, because the rows derived from later tables need them. No row is derived from texts alone.
 */
const firstTables: readonly EntityTable[] = ["settings", "productTexts"];
const copiedTables: ReadonlySet<EntityTable> = new Set([...firstTables, ...entityTables]);

const sources: { readonly [T in EntityTable]: Table<KeyOf<T>, RowOf<T>> } = tables;

const copyTable = async <T extends EntityTable>(
  name: T,
  snapshot: PinnedSnapshot,
  generation: Generation,
  signal: AbortSignal,
): Promise<void> => {
  let rows: (readonly [KeyOf<T>, RowOf<T>])[] = [];
  const put = (): void =>
    generation.store.transaction((stored) => {
      const unit = openUnitOfWork(stored);
      for (const [key, row] of rows) unit[name].put(key, row);
      unit[name].flush(stored);
      derive(unit, stored, 0);
      rows = [];
    });
  for (const row of snapshot.entries(sources[name])) {
    rows.push(row);
    if (rows.length < maxRowsPerTransaction) continue;
    mapWriteError(generation, put);
    await nextTurn();
    signal.throwIfAborted();
  }
  mapWriteError(generation, put);
};

const assertOthersUnchanged = (
  projection: Projection,
  checkpoint: Checkpoint | undefined,
): Checkpoint => {
  const { name } = projection;
  if (!checkpoint) {
    throw new VitrineError(
      "no_model",
      "the live generation is empty: there is nothing to copy",
      "leave out --only",
    );
  }
  if (hasOtherTextData(checkpoint)) {
    throw new VitrineError(
      "usage",
      `--only ${name}: the text data of Node changed since the live generation was made: ${describeTextDataChange(checkpoint.textData)}`,
      "leave out --only",
    );
  }
  const written = checkpoint.projections.split(" ");
  const own = tablesOf(projection);
  const others = projections
    .filter((other) => [...tablesOf(other)].some((table) => !own.has(table)))
    .filter((other) => !written.includes(`${other.name}.${other.version}`));
  if (others.length === 0) return checkpoint;
  throw new VitrineError(
    "usage",
    `--only ${name}: other projections changed too since the live generation was made: ${others.map((other) => other.name).join(", ")}`,
    "leave out --only",
  );
};
