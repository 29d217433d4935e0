import { createInboxName, readPublished } from "./inbox.ts";
import { type ConnectionTables, openConnectionTables } from "./tables.ts";

/**
 * Prepares a copy of a connection to take the place of a lost one, durable on return. Events may have been published since
 * the copy was made: so the inbox has a new name, under which no arrival number repeats, and the next body of each
 * resource is published whatever it has.
 */
export const prepareCopy = async (directory: string): Promise<void> => {
  const tables = openConnectionTables(directory);
  const { env, meta } = tables;
  try {
    env.write(() => {
      const row = meta.get("inbox");
      if (row) meta.putSync("inbox", { ...row, inbox: createInboxName() });
      forgetPublished(tables);
    });
  } finally {
    await env.close();
  }
};

/** Forgets the data that was published last of each subject, and keeps its time. */
const forgetPublished = (tables: ConnectionTables): void => {
  // Rows are collected before any is written, because a write moves the cursor.
  for (const [subject, row] of [...readPublished(tables)]) {
    tables.state.putSync(`published/${subject}`, { ...row, digest: "" });
  }
};
