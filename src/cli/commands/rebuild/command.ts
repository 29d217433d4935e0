import { Option } from "commander";
import type { Flags } from "../../../config.ts";
import { VitrineError } from "../../../errors.ts";
import { isOfOtherTextData } from "../../../projector/projection-version.ts";
import { describeTextDataChange } from "../../../text/text-data.ts";
import { type CommandLine, wholeNumber } from "../../define-command.ts";
import { openModelDirectory } from "../../model-directory.ts";
import { type ControlConfig, controlSettings } from "../../shared-options.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { counted, print, printJson, say } from "../../terminal/output.ts";
import { readEventTime } from "../../terminal/read-event-time.ts";
import { readIn } from "../../terminal/replay-progress.ts";
import { showComparison } from "../../terminal/show-comparison.ts";
import { type BuiltThere, buildInScratch } from "./build-generation.ts";
import { rebuildUntil, type UntilOptions } from "./point-in-time.ts";
import { type Outcome, outcomeOf, swapIn } from "./promote.ts";

export const describeRebuild = (line: CommandLine): void => {
  line
    .command({
      usage: "rebuild",
      tells: "replay the log into a new generation, compare it with the live one, and switch to it",
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
        .argParser(wholeNumber("--until-seq", 1))
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
    return rebuildUntil(config, options, signal);
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
    const promotion = dryRun ? null : await swapIn(config, model, built, options);
    if (json) printJson(toReport(built, promotion));
    else print(promotion ? outcomeOf(promotion) : "nothing was swapped: --dry-run");
    return 0;
  });
};

const show = (built: BuiltThere): void => {
  const { comparison, damage, isContinued } = built;
  print(`replayed the log, ${readIn(built.read)}: ${counted(built.products.after, "product")}`);
  if (damage) say(`vitrine: ${damage.message}; nothing can be compared`);
  if (!isContinued) say("vitrine: the log does not continue the live generation");
  if (comparison) showComparison(comparison);
  for (const note of notesOf(built)) say(`  -> ${note}`);
};

/** Lists the known causes of differences. */
export const notesOf = ({ comparison, isCompacted, former }: BuiltThere): readonly string[] => {
  if (!comparison || comparison.isSame) return [];
  const written = former?.checkpoint;
  return [
    ...(isCompacted
      ? [
          "the log does not hold every event it once took: what only those told, such as times of change and dead letters, may differ",
        ]
      : []),
    ...(written && isOfOtherTextData(written)
      ? [
          `the live generation was made with other text data, so rows of orders and of the search index may differ: ${describeTextDataChange(written.textData)}`,
        ]
      : []),
  ];
};

/** Builds the output of `--json`. */
const toReport = (built: BuiltThere, promotion: Outcome | null) => ({
  swapped: promotion,
  products: built.products,
  comparison: built.comparison ?? null,
  damage: built.damage?.message ?? null,
  notes: notesOf(built),
  ...built.read,
});
