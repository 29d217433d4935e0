import { openSync, writeSync } from "node:fs";
import { runAsProbe } from "../../platform/child-probe.ts";
import { exportOperatorRows } from "./collect-rows.ts";

/** The child process of `collectOperatorRows`. Arguments: the generation's directory and the output file. */
const [generation = "", file = ""] = process.argv.slice(2);

await runAsProbe(async () => {
  const rows = openSync(file, "w", 0o600);
  // Each line is written at once, because a damaged next row may crash this process.
  await exportOperatorRows(generation, (line) => void writeSync(rows, `${line}\n`));
});
