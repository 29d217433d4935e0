/**
 * Runs several test files in this process, one after the other, as uvu's own runner does. If a file cannot be loaded, the
 * process fails, because the counts would lack the tests of that file.
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
// Some clients of other projects leave timers behind that would keep the process alive.
if (process.env.VITRINE_TEST_EXIT) process.exit();
