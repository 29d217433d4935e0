import { lookAndTell } from "../../look.ts";
import { readOperatorStateThrough } from "./probe.ts";

/** The process that `probeOperatorState` starts, with a directory. */
const [directory = ""] = process.argv.slice(2);

await lookAndTell(() => readOperatorStateThrough(directory));
