import type { Database, Key as LmdbKey } from "lmdb";
import { openEnvironment } from "../../src/lmdb/environment.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { prepareOperatorState } from "../../src/read-model/operator/create.ts";
import { hasOperatorState } from "../../src/read-model/operator/directory.ts";
import { type OperatorState, openOperatorState } from "../../src/read-model/operator/state.ts";
import type { DeadLetterDiscard } from "../../src/read-model/schema/checkpoint.ts";
import { encode } from "../../src/read-model/schema/codec.ts";
import type { RevocationFloor } from "../../src/read-model/schema/rows.ts";
import { legacyTables } from "../../src/read-model/schema/tables.ts";

/**
 * Opens the operator state of a data directory as the projector does, without the check of an intact file in
 * a child process.
 */
export const openOperator = async (dataDir: string): Promise<OperatorState> =>
  hasOperatorState(dataDir)
    ? openOperatorState(dataDir)
    : prepareOperatorState(openDataDirectory(dataDir), () => undefined);

/** Rows that a generation written by an earlier version contains. */
export interface LegacyRows {
  readonly withdrawn?: Readonly<Record<string, RevocationFloor>>;
  readonly discards?: Readonly<Record<number, DeadLetterDiscard>>;
}

/** Writes such rows into a closed generation. */
export const putLegacyRows = async (
  generation: string,
  { withdrawn = {}, discards = {} }: LegacyRows,
): Promise<void> => {
  const env = openEnvironment<Buffer, LmdbKey>({
    path: generation,
    readOnly: false,
    maxDbs: 64,
    encoding: "binary",
  });
  const tables = env.openDatabases(() =>
    Object.values(legacyTables).map(
      ({ name }) => [name, env.root.openDB<Buffer, LmdbKey>({ name, encoding: "binary" })] as const,
    ),
  );
  const table = (name: string): Database<Buffer, LmdbKey> | undefined => new Map(tables).get(name);
  env.write(() => {
    for (const [label, row] of Object.entries(withdrawn)) {
      table("withdrawn")?.putSync(label, encode(label, row));
    }
    for (const [sequence, row] of Object.entries(discards)) {
      table("discards")?.putSync(Number(sequence), encode(Number(sequence), row));
    }
  });
  await env.close();
};
