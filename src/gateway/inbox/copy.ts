import { createInboxName, forgetPublished } from "./inbox.ts";
import { openConnectionTables } from "./tables.ts";

/**
 * Prepares a copy of a connection to take the place of a lost one, durable on return. Events may have been published since
 * the copy was made: so the inbox has a new name, under which no arrival number repeats, and the next body of each
 * resource is published, also with equal data.
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
