import { lookAndTell } from "../../platform/child-probe.ts";
import { type Depth, readThrough } from "./probe.ts";

/** The child process of `probeGeneration`. Arguments: the generation's directory and the depth. */
const [generation = "", depth] = process.argv.slice(2);

await lookAndTell(() => readThrough(generation, depth as Depth));
