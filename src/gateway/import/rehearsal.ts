import type { StateChange, StateReader } from "../../connectors/delivery.ts";
import { openEnvironment } from "../../lmdb/environment.ts";
import { tableKey } from "../inbox/tables.ts";
import type { OpenState } from "../translators.ts";

/** State of a connection as it would be after an import. It is on the disk, so that memory stays bounded for any file. */
export interface RehearsedState {
  readonly openState: OpenState;
  put(changes: readonly StateChange[]): void;
  /** Whether the rehearsal wrote a row. */
  has(table: string, key: string): boolean;
  close(): Promise<void>;
}

/** @param path of an empty directory @param openStored state that the import finds */
export const openRehearsedState = (path: string, openStored: OpenState): RehearsedState => {
  // Not durable: the next import removes what a killed one left.
  const env = openEnvironment<unknown, string>({
    ...{ path, readOnly: false, noSync: true },
    encoding: "json",
  });
  const keyOf = (table: string, key: string): string => tableKey(`${table}/${key}`);
  const openState = <Tables>(): StateReader<Tables> => {
    const stored = openStored<Tables>();
    return {
      get<T extends keyof Tables & string>(table: T, key: string) {
        const row = env.root.get(keyOf(table, key));
        if (row === undefined) return stored.get(table, key);
        // Invariant: translators put only rows of the table.
        return row === null ? undefined : (row as Tables[T]);
      },
    };
  };
  return {
    openState,
    put: (changes) =>
      env.write(() => {
        for (const { table, key, row } of changes) env.root.putSync(keyOf(table, key), row ?? null);
      }),
    has: (table, key) => env.root.doesExist(keyOf(table, key)),
    close: () => env.close(),
  };
};
