/** A process that runs code of its command line as a probe: `run-as-probe.ts <code>`. */
import { runAsProbe } from "../../src/platform/child-probe.ts";

const work = new Function(process.argv[2] ?? "");
void runAsProbe(async () => work());
