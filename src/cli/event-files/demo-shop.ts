import { join } from "node:path";
import { VitrineError } from "../../errors.ts";
import type { EventLog } from "../../event-log/event-log.ts";
import { packageRoot } from "../../package-info.ts";
import { withLogToAppend } from "../event-log.ts";
import type { LogConfig } from "../shared-options.ts";
import { appendFiles } from "./append-files.ts";
import { checkFiles } from "./check-files.ts";
import { type InputFile, withInputFiles } from "./input-files.ts";

const demoFile = join(packageRoot, "deploy", "demo", "shop.ndjson");

/**
 * Appends the demo shop to an empty journal, so that a first start has products.
 * A journal with events stays as it is, and so does a broker's stream, which belongs to a shop.
 * @returns how many events were appended
 */
export const loadDemoShop = async (config: LogConfig): Promise<number> => {
  if (!config.events.startsWith("journal:")) return 0;
  return withLogToAppend(config, async (eventLog) => {
    const { last } = await eventLog.bounds();
    return last > 0 ? 0 : withInputFiles([demoFile], (inputs) => appendDemo(eventLog, inputs));
  });
};

const appendDemo = async (eventLog: EventLog, inputs: readonly InputFile[]): Promise<number> => {
  const options = { now: Date.now(), skipInvalid: false };
  const checked = await checkFiles(inputs, { now: options.now, showProgress: true });
  if (checked.some(({ badCount }) => badCount > 0)) {
    throw new VitrineError("invalid_events", `the demo shop in ${demoFile} breaks the contract`);
  }
  return (await appendFiles(eventLog, checked, options, true)).accepted;
};

export const formatDemoHints = (baseUrl: string, opsUrl: string): string => `
Try it:
  curl -s ${baseUrl}/graphql -H 'content-type: application/json' \\
    -d '{"query":"{ shop { name } products(first: 3, inStockOnly: true) { totalCount nodes { name price { amount currency } } } }"}'
  curl -s ${baseUrl}/llms.txt
  npx vitrine token issue --label me    # a token for the tools at ${baseUrl}/agent/mcp
  curl -s ${opsUrl}/readyz
  npx vitrine tail --last 5

Ctrl-C ends it.`;
