/** A program: `append-many.ts DIRECTORY FROM TO` appends messages to the journal there, seven at a time. */

import { splitIntoChunks } from "../../src/event-log/chunks.ts";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { messages } from "./messages.ts";

const [directory = "", from, to] = process.argv.slice(2);
const journal = openJournal({ directory, now: Date.now });
for (const few of splitIntoChunks(messages(Number(from), Number(to)), {
  count: 7,
  bytes: 1_000_000,
})) {
  await journal.append(few);
}
await journal.close();
