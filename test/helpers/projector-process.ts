import { existsSync } from "node:fs";
import { join } from "node:path";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { openStore, type Store } from "../../src/read-model/store/store.ts";
import { start } from "./vitrine.ts";

/** Starts `vitrine project` in a process of its own. */
export const projectorOf = (dataDir: string, eventsAt: string) =>
  start(["project", "--data-dir", dataDir, "--events", eventsAt, "--ops-port", "0"]);

/**
 * Reads the sequence of the newest generation through one open store, as an HTTP process does. The store is
 * opened only after the first commit, because a store that is opened before its tables exist never sees them.
 */
export const followSequence = (dataDir: string) => {
  let open: Store | undefined;
  const close = async (): Promise<void> => {
    await open?.close();
    open = undefined;
  };
  return {
    async now(): Promise<number> {
      const newest = openDataDirectory(dataDir).generations().at(-1);
      if (newest === undefined || !existsSync(join(newest, "data.mdb"))) return 0;
      if (open?.directory !== newest) await close();
      open ??= openStore(newest, { readOnly: true });
      open.refresh();
      const sequence = open.get(tables.meta, "checkpoint")?.sequence ?? 0;
      if (sequence === 0) await close();
      return sequence;
    },
    close,
  };
};
