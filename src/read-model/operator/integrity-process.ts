import { lookAndTell } from "../../platform/child-probe.ts";
import { readOperatorStateThrough } from "./integrity.ts";

/** The process that `probeOperatorState` starts, with a directory. */
const [directory = ""] = process.argv.slice(2);

await lookAndTell(() => readOperatorStateThrough(directory));
