import { lookAndTell } from "../../platform/child-probe.ts";
import { readOperatorStateThrough } from "./integrity.ts";

/** The child process of `probeOperatorState`. Argument: the directory of the operator state. */
const [directory = ""] = process.argv.slice(2);

await lookAndTell(() => readOperatorStateThrough(directory));
