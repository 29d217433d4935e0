// Writes what a process used to the file that USAGE_FILE names: node --import report-usage.mjs …
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.resourceUsage()));
});
