import { runAsProbe } from "../../platform/child-probe.ts";
import { readOperatorStateFully } from "./integrity.ts";

/** The child process of `probeOperatorState`. Argument: the directory of the operator state. */
const [directory = ""] = process.argv.slice(2);

await runAsProbe(() => readOperatorStateFully(directory));
