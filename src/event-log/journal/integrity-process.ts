import { lookAndTell } from "../../platform/child-probe.ts";
import { type Depth, readJournalThrough } from "./integrity.ts";

/** The process that `mustBeSound` starts: a directory, and how deep to look. */
const [directory = "", depth] = process.argv.slice(2);

await lookAndTell(() => readJournalThrough(directory, depth as Depth));
