import { lookAndTell } from "../../platform/child-probe.ts";
import { type Depth, readThrough } from "./probe.ts";

/** The process that `probe` starts: a directory, and how deep to look. */
const [generation = "", depth] = process.argv.slice(2);

await lookAndTell(() => readThrough(generation, depth as Depth));
