/**
 * Measures the memory of a process on SIGUSR2, loaded before its program (`--import`). The process collects garbage and
 * writes the number of bytes in use to the directory VITRINE_TEST_MEMORY, in a file named by its process id.
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const file = join(process.env.VITRINE_TEST_MEMORY ?? "", String(process.pid));

process.on("SIGUSR2", () => {
  // The first collection runs finalizers, and the second frees their objects.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(`${file}.part`, String(heapUsed + external));
  renameSync(`${file}.part`, file);
});
