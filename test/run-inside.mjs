/**
 * Runs several test files in this process, one after the other, as uvu's own runner does. A file that cannot be loaded fails
 * the process, because its tests would be missing from the counts.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const files = process.argv.slice(2);
globalThis.UVU_DEFER = 1;
const { exec } = await import("uvu");
globalThis.UVU_QUEUE = [];
for (const [index, file] of files.entries()) {
  globalThis.UVU_QUEUE.push([files.length > 1 ? file : null]);
  globalThis.UVU_INDEX = index;
  await import(pathToFileURL(resolve(file)).href);
}
await exec(false);
