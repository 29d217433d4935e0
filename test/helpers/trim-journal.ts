import { setImmediate as nextTurn } from "node:timers/promises";
import { chunkLimit } from "../../src/event-log/chunks.ts";
import { assertJournalDirectory } from "../../src/event-log/journal/directory.ts";
import { closeTables, openTables, readIdentity } from "../../src/event-log/journal/tables.ts";

/**
 * Removes every event before sequence `before`, as an operator might who needs disk space. The ids stay, so that a removed
 * message is still deduplicated; a reader that had not reached `before` diverges.
 * @throws VitrineError `data_dir`, `not_writable`, `log_damaged`
 */
export async function trimJournal(directory: string, before: number): Promise<void> {
  assertJournalDirectory(directory, true);
  const journal = openTables(directory, false);
  try {
    readIdentity(journal);
    const { env, events } = journal;
    for (let removed = -1; removed !== 0; await nextTurn()) {
      removed = env.write(() => {
        const keys = [...events.getKeys({ end: before, limit: chunkLimit.count })];
        for (const key of keys) events.removeSync(key);
        return keys.length;
      });
    }
  } finally {
    await closeTables(journal);
  }
}
