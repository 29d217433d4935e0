/**
 * Loaded into the processes of a service before their program (`--import`): on SIGUSR2 each collects its garbage, and
 * tells how many bytes it still holds, in a file named by its id in the directory VITRINE_TEST_MEMORY.
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const file = join(process.env.VITRINE_TEST_MEMORY ?? "", String(process.pid));

process.on("SIGUSR2", () => {
  // What the first collection finalizes is freed by the second.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(`${file}.part`, String(heapUsed + external));
  renameSync(`${file}.part`, file);
});
