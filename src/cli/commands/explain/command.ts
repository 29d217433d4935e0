import type { Flags } from "../../../config.ts";
import { parseEntityName } from "../../../projector/explain/entity.ts";
import { explainEntity } from "../../../projector/explain/explain.ts";
import { createHtmlRenderer } from "../../../projector/rendering/index.ts";
import type { CommandLine } from "../../define-command.ts";
import { openLogToRead } from "../../event-log.ts";
import { withLiveStore } from "../../live-store.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { printJson } from "../../terminal/output.ts";
import { showExplanation } from "./view.ts";

export const describeExplain = (line: CommandLine): void => {
  line
    .command({
      usage: "explain",
      description: "show which events produced an entity's current values",
      settings: logSettings,
      examples: ["vitrine explain product/4711", "vitrine explain settings --all"],
    })
    .argument(
      "<entity>",
      "product/ID, price/ID, stock/ID, category/ID, page/ID, carrier/ID, agent/LABEL, settings or robots",
    )
    .option("--all", "show every event, not just the newest of each field group", false)
    .option("--json", "print JSON", false)
    .action(async (entity: string, { all, json, ...flags }: Flags & ExplainFlags) =>
      line.done(await explain(line.config(flags, logSettings), entity, { all, json })),
    );
};

interface ExplainFlags {
  readonly all: boolean;
  readonly json: boolean;
}

/**
 * Prints which events wrote each field group of an entity, and which were ignored or rejected. Changes nothing.
 * @returns exit code: 1 when neither the model nor the log has the entity
 */
export const explain = async (
  config: LogConfig,
  entity: string,
  { all, json }: ExplainFlags,
): Promise<number> => {
  // Rejects an invalid name before any file is opened.
  parseEntityName(entity);
  const explanation = await withLiveStore(config, async (store) => {
    const eventLog = await openLogToRead(config);
    try {
      const limit = all ? Number.POSITIVE_INFINITY : 10;
      return await explainEntity(eventLog, store, createHtmlRenderer(), entity, { limit });
    } finally {
      await eventLog.close();
    }
  });
  if (json) printJson(explanation);
  else showExplanation(explanation);
  return explanation.known ? 0 : 1;
};
