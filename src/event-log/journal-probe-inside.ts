import { lookAndTell } from "../look.ts";
import { type Depth, readJournalThrough } from "./journal-probe.ts";

/** The process that `mustBeSound` starts: a directory, and how deep to look. */
const [directory = "", depth] = process.argv.slice(2);

await lookAndTell(() => readJournalThrough(directory, depth as Depth));
