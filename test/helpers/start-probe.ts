/** A process that starts a probe and waits for it: `start-probe.ts <program> [argument]…`. SIGTERM ends it. */
import { runProbeProcess } from "../../src/platform/child-probe.ts";

const [program = "", ...args] = process.argv.slice(2);
process.on("SIGTERM", () => process.exit(1));
await runProbeProcess(program, args);
