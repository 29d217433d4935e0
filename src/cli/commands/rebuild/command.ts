import { VitrineError } from "../../../errors.ts";
import { hasOtherTextData } from "../../../projector/projection-version.ts";
import { describeTextDataChange } from "../../../text/text-data.ts";
import { flag, integerFrom, json, optional, text } from "../../command-spec.ts";
import { defineCommand, type Report } from "../../define-command.ts";
import { openModelDirectory } from "../../model-directory.ts";
import { type ControlConfig, controlSettings } from "../../shared-options.ts";
import { formatCount, print, printError } from "../../terminal/output.ts";
import { formatThroughput } from "../../terminal/progress-bar.ts";
import { parseEventTime } from "../../terminal/read-event-time.ts";
import { showComparison } from "../../terminal/show-comparison.ts";
import { interruptible } from "../../terminal/signals.ts";
import { buildInScratch, type CandidateBuild } from "./build-generation.ts";
import { rebuildPointInTime } from "./point-in-time.ts";
import { formatPromotion, type PromotionResult, promoteCandidate } from "./promote.ts";

const swapOptions = ["dryRun", "acceptLoss"];

export const rebuildCommand = defineCommand({
  settings: controlSettings,
  options: {
    dryRun: flag("stop after the comparison"),
    acceptLoss: flag("switch even if more than a fifth of the products is lost"),
    untilSeq: optional(
      "<sequence>",
      "restore the state as of this event (sequence) into a new directory",
      integerFrom(1),
      [...swapOptions, "untilTime"],
    ),
    untilTime: optional(
      "<time>",
      "restore the state as of this time (log time, RFC 3339) into a new directory",
      (typed, name) => parseEventTime(typed, name).time,
      swapOptions,
    ),
    into: optional("<dir>", "the new or empty directory (default: <data-dir>-until-…)", text),
    json,
  },
  examples: [
    "vitrine rebuild --dry-run",
    "vitrine rebuild --until-time 2026-10-01T08:00:00Z --into ./data-then",
  ],
  run: ({ config, options }) =>
    interruptible(async (signal) => {
      if (options.untilSeq !== undefined || options.untilTime !== undefined) {
        return rebuildPointInTime(config, options, signal);
      }
      if (options.into === undefined) return rebuild(config, options, signal);
      throw new VitrineError("usage", "--into: only with --until-seq or --until-time");
    }),
});

interface RebuildOptions {
  readonly dryRun: boolean;
  readonly acceptLoss: boolean;
  readonly json: boolean;
}

/**
 * Replays the log into a candidate, compares it with the live generation, and swaps (Contract §1).
 * @throws VitrineError `divergence` when the log is incomplete, or too many products would be lost
 */
const rebuild = (
  config: ControlConfig,
  options: RebuildOptions,
  signal: AbortSignal,
): Promise<Report> => {
  const { json: isJson, dryRun } = options;
  const model = openModelDirectory(config);
  const building = { config, model, isToEnd: !dryRun, showProgress: !isJson, signal };
  return buildInScratch({ ...building, doing: "rebuild" }, async (built) => {
    // The comparison is shown before the swap, which may take time or be rejected.
    if (!isJson) show(built);
    const promotion = dryRun ? null : await promoteCandidate(config, model, built, options);
    return {
      json: toReport(built, promotion),
      show: () => print(promotion ? formatPromotion(promotion) : "nothing was swapped: --dry-run"),
    };
  });
};

const show = (built: CandidateBuild): void => {
  const { comparison, damage, isContinued } = built;
  print(
    `replayed the log, ${formatThroughput(built.read)}: ${formatCount(built.products.after, "product")}`,
  );
  if (damage) printError(`vitrine: ${damage.message}; nothing can be compared`);
  if (!isContinued) printError("vitrine: the log does not continue the live generation");
  if (comparison) showComparison(comparison);
  for (const note of differenceNotes(built)) printError(`  -> ${note}`);
};

export const differenceNotes = ({
  comparison,
  isCompacted,
  baseline,
}: CandidateBuild): readonly string[] => {
  if (!comparison || comparison.isSame) return [];
  const written = baseline?.checkpoint;
  return [
    ...(isCompacted
      ? [
          "the log no longer holds all its events: values that only the missing ones set, such as times of change and dead letters, may differ",
        ]
      : []),
    ...(written && hasOtherTextData(written)
      ? [
          `the live generation was made with other text data, so rows of the sort indexes and of the search index may differ: ${describeTextDataChange(written.textData)}`,
        ]
      : []),
  ];
};

const toReport = (built: CandidateBuild, promotion: PromotionResult | null) => ({
  swapped: promotion,
  products: built.products,
  comparison: built.comparison ?? null,
  damage: built.damage?.message ?? null,
  notes: differenceNotes(built),
  ...built.read,
});
