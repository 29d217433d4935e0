import { runAsProbe } from "../../platform/child-probe.ts";
import { type ProbeDepth, readJournalFully } from "./integrity.ts";

/** The child process of `probeJournal`: its arguments are a directory and a probe depth. */
const [directory = "", depth] = process.argv.slice(2);

await runAsProbe(() => readJournalFully(directory, depth as ProbeDepth));
