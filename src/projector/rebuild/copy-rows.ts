import { setImmediate as nextTurn } from "node:timers/promises";
import { type Projection, projections, type StateTable } from "../../../projections/index.ts";
import { VitrineError } from "../../errors.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import { type Table, tables } from "../../read-model/schema/tables.ts";
import { openStore, type Pinned } from "../../read-model/store/store.ts";
import { describeTextDataChange } from "../../text/text-data.ts";
import { type BatchTable, flushBatch, openBatch } from "../batch/unit-of-work.ts";
import { derive } from "../derive/derive.ts";
import type { Generation } from "../open-generation.ts";
import { isOfOtherTextData } from "../projection-version.ts";
import { write } from "./replay.ts";

/** Rows to a transaction. */
const largestBatch = 1000;

/**
 * Copies the rows of all projections but one from one moment of the live generation, with all dead letters, and
 * derives what follows from them. Returns where the live generation stood then.
 * @param live its directory
 * @throws `usage` when other projections or the text data changed too; `no_model` when it cannot be done
 */
export const copyOthers = async (
  projection: Projection,
  live: string,
  generation: Generation,
  signal: AbortSignal,
): Promise<Checkpoint> => {
  const store = openStore(live, { readOnly: true });
  const former = store.pin();
  try {
    const checkpoint = mustBeOthersSame(projection, former.get(tables.meta, "checkpoint"));
    const others = stateTables.filter((table) => !projection.states.includes(table));
    for (const table of others) await copyTable(table, former, generation, signal);
    const letters = [...former.entries(tables.deadLetters)];
    write(generation, () =>
      generation.store.transaction((stored) => {
        for (const [sequence, letter] of letters) {
          stored.put(tables.deadLetters, sequence, letter);
        }
        derive(openBatch(stored), stored, letters.length);
      }),
    );
    return checkpoint;
  } finally {
    former.release();
    await store.close();
  }
};

/**
 * The shop's language first: words are split by it. Then the texts of products, which what follows is derived from and
 * nothing from them.
 */
const first: readonly StateTable[] = ["settings", "texts"];
const stateTables = [...new Set([...first, ...projections.flatMap(({ states }) => states)])];

const copyTable = async (
  name: StateTable,
  former: Pinned,
  generation: Generation,
  signal: AbortSignal,
): Promise<void> => {
  let rows: [string | number, unknown][] = [];
  const put = (): void =>
    generation.store.transaction((stored) => {
      const batch = openBatch(stored);
      const table: BatchTable<string | number, unknown> = batch[name];
      for (const [key, row] of rows) table.put(key, row);
      flushBatch(batch, stored);
      derive(batch, stored, 0);
      rows = [];
    });
  const source = tables[name] as Table<string | number, unknown>;
  for (const row of former.entries(source)) {
    rows.push(row);
    if (rows.length < largestBatch) continue;
    write(generation, put);
    await nextTurn();
    signal.throwIfAborted();
  }
  write(generation, put);
};

const mustBeOthersSame = (
  { name, states }: Projection,
  checkpoint: Checkpoint | undefined,
): Checkpoint => {
  if (!checkpoint) {
    throw new VitrineError(
      "no_model",
      "the live generation is empty: there is nothing to copy",
      "leave out --only",
    );
  }
  if (isOfOtherTextData(checkpoint)) {
    throw new VitrineError(
      "usage",
      `--only ${name}: the text data of Node changed since the live generation was made: ${describeTextDataChange(checkpoint.textData)}`,
      "leave out --only",
    );
  }
  const written = checkpoint.projections.split(" ");
  const others = projections
    .filter((other) => other.states.some((table) => !states.includes(table)))
    .filter((other) => !written.includes(`${other.name}.${other.version}`));
  if (others.length === 0) return checkpoint;
  throw new VitrineError(
    "usage",
    `--only ${name}: other projections changed too since the live generation was made: ${others.map((other) => other.name).join(", ")}`,
    "leave out --only",
  );
};
