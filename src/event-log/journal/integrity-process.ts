import { lookAndTell } from "../../platform/child-probe.ts";
import { type Depth, readJournalThrough } from "./integrity.ts";

/** The child process of `probeJournal`: its arguments are a directory and a probe depth. */
const [directory = "", depth] = process.argv.slice(2);

await lookAndTell(() => readJournalThrough(directory, depth as Depth));
