import { openSync, writeSync } from "node:fs";
import { lookAndTell } from "../../platform/child-probe.ts";
import { readRows } from "./collect-rows.ts";

/** The process that `rowsOfDirectory` starts, with a generation and the file for its rows. */
const [generation = "", file = ""] = process.argv.slice(2);

await lookAndTell(async () => {
  const rows = openSync(file, "w", 0o600);
  // Each line at once: the next row may end this process.
  await readRows(generation, (line) => void writeSync(rows, `${line}\n`));
});
