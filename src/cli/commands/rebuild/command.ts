import { Option } from "commander";
import type { Flags } from "../../../config.ts";
import { VitrineError } from "../../../errors.ts";
import { hasOtherTextData } from "../../../projector/projection-version.ts";
import { describeTextDataChange } from "../../../text/text-data.ts";
import { type CommandLine, integerParser } from "../../define-command.ts";
import { openModelDirectory } from "../../model-directory.ts";
import { type ControlConfig, controlSettings } from "../../shared-options.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { formatCount, print, printError, printJson } from "../../terminal/output.ts";
import { readEventTime } from "../../terminal/read-event-time.ts";
import { formatThroughput } from "../../terminal/replay-progress.ts";
import { showComparison } from "../../terminal/show-comparison.ts";
import { buildInScratch, type CandidateBuild } from "./build-generation.ts";
import { rebuildPointInTime, type UntilOptions } from "./point-in-time.ts";
import { formatPromotion, type PromotionResult, promoteCandidate } from "./promote.ts";

export const describeRebuild = (line: CommandLine): void => {
  line
    .command({
      usage: "rebuild",
      description:
        "replay the log into a new generation, compare it with the live one, and switch to it",
      settings: controlSettings,
      examples: [
        "vitrine rebuild --dry-run",
        "vitrine rebuild --only product",
        "vitrine rebuild --until-time 2026-10-01T08:00:00Z --into ./data-then",
      ],
    })
    .option("--dry-run", "stop after the comparison", false)
    .option("--only <projection>", "rebuild one projection only")
    .option("--accept-loss", "switch even if more than a fifth of the products is lost", false)
    .addOption(
      new Option(
        "--until-seq <sequence>",
        "restore the state as of this event (sequence) into a new directory",
      )
        .argParser(integerParser("--until-seq", 1))
        .conflicts(["dryRun", "only", "acceptLoss", "untilTime"]),
    )
    .addOption(
      new Option(
        "--until-time <time>",
        "restore the state as of this time (log time, RFC 3339) into a new directory",
      )
        .argParser((text: string) => readEventTime("--until-time")(text).time)
        .conflicts(["dryRun", "only", "acceptLoss"]),
    )
    .option("--into <dir>", "the new or empty directory (default: <data-dir>-until-…)")
    .option("--json", "print JSON", false)
    .action(async (flags: Flags & RebuildOptions & UntilOptions) => {
      const config = line.config(flags, controlSettings);
      line.done(await interruptible((signal) => start(config, flags, signal)));
    });
};

const start = (
  config: ControlConfig,
  options: RebuildOptions & UntilOptions,
  signal: AbortSignal,
): Promise<number> => {
  if (options.untilSeq !== undefined || options.untilTime !== undefined) {
    return rebuildPointInTime(config, options, signal);
  }
  if (options.into === undefined) return rebuild(config, options, signal);
  throw new VitrineError("usage", "--into: only with --until-seq or --until-time");
};

export interface RebuildOptions {
  readonly dryRun: boolean;
  readonly only?: string;
  readonly acceptLoss: boolean;
  readonly json: boolean;
}

/**
 * Replays the log into a candidate, compares it with the live generation, and swaps (Contract §1).
 * @returns exit code
 * @throws VitrineError `divergence` when the log is incomplete, or too many products would be lost
 */
export const rebuild = async (
  config: ControlConfig,
  options: RebuildOptions,
  signal: AbortSignal,
): Promise<number> => {
  const { json, dryRun, only } = options;
  const model = openModelDirectory(config);
  const building = { config, model, only, isToEnd: !dryRun, showProgress: !json, signal };
  return buildInScratch({ ...building, doing: "rebuild" }, async (built) => {
    if (!json) show(built);
    const promotion = dryRun ? null : await promoteCandidate(config, model, built, options);
    if (json) printJson(toReport(built, promotion));
    else print(promotion ? formatPromotion(promotion) : "nothing was swapped: --dry-run");
    return 0;
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

/** Lists the known causes of differences. */
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
          "the log does not hold every event it once took: what only those told, such as times of change and dead letters, may differ",
        ]
      : []),
    ...(written && hasOtherTextData(written)
      ? [
          `the live generation was made with other text data, so rows of orders and of the search index may differ: ${describeTextDataChange(written.textData)}`,
        ]
      : []),
  ];
};

/** Builds the output of `--json`. */
const toReport = (built: CandidateBuild, promotion: PromotionResult | null) => ({
  swapped: promotion,
  products: built.products,
  comparison: built.comparison ?? null,
  damage: built.damage?.message ?? null,
  notes: differenceNotes(built),
  ...built.read,
});
