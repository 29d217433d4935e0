import { parseEntityName } from "../../../projector/explain/entity.ts";
import { explainEntity } from "../../../projector/explain/explain.ts";
import { createHtmlRenderer } from "../../../projector/rendering/index.ts";
import { argument, flag, json, text } from "../../command-spec.ts";
import { defineCommand, type Report } from "../../define-command.ts";
import { withEventLog } from "../../event-log.ts";
import { withLiveStore } from "../../live-store.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { showExplanation } from "./view.ts";

export const explainCommand = defineCommand({
  settings: logSettings,
  argument: argument(
    "<entity>",
    "product/ID, price/ID, stock/ID, category/ID, page/ID, carrier/ID, agent/LABEL, settings or robots",
    text,
  ),
  options: { all: flag("show every event, not only the newest of each field group"), json },
  examples: ["vitrine explain product/4711", "vitrine explain settings --all"],
  run: ({ config, argument: entity, options }) => explain(config, entity, options.all),
});

/**
 * Explains which events wrote each field group of an entity, and which were ignored or rejected. Changes nothing.
 * The exit code is 1 when neither the model nor the log has the entity.
 */
const explain = async (config: LogConfig, entity: string, all: boolean): Promise<Report> => {
  // Rejects an invalid name before any file is opened.
  parseEntityName(entity);
  const limit = all ? Number.POSITIVE_INFINITY : 10;
  const explanation = await withLiveStore(config, (store) =>
    withEventLog(config, (eventLog) =>
      explainEntity(eventLog, store, createHtmlRenderer(), entity, { limit }),
    ),
  );
  return {
    json: explanation,
    show: () => showExplanation(explanation),
    exitCode: explanation.found ? 0 : 1,
  };
};
