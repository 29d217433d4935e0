import { runAsProbe } from "../../platform/child-probe.ts";
import { type ModelProbeDepth, readFully } from "./probe.ts";

/** The child process of `probeGeneration`. Arguments: the generation's directory and the depth. */
const [generation = "", depth] = process.argv.slice(2);

await runAsProbe(() => readFully(generation, depth as ModelProbeDepth));
