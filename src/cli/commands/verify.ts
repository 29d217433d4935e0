import { projectionVersions } from "../../../projections/index.ts";
import { VitrineError } from "../../errors.ts";
import { hasOtherTextData } from "../../projector/projection-version.ts";
import { assertOperatorStateIntact } from "../../read-model/operator/integrity.ts";
import { describeTextDataChange } from "../../text/text-data.ts";
import { json } from "../command-spec.ts";
import { defineCommand, type Report } from "../define-command.ts";
import { readLiveCheckpoint } from "../live-store.ts";
import { openModelDirectory } from "../model-directory.ts";
import { type LogConfig, logSettings } from "../shared-options.ts";
import { print, printError } from "../terminal/output.ts";
import { formatThroughput } from "../terminal/progress-bar.ts";
import { showComparison } from "../terminal/show-comparison.ts";
import { interruptible } from "../terminal/signals.ts";
import { buildInScratch, type CandidateBuild } from "./rebuild/build-generation.ts";
import { differenceNotes } from "./rebuild/command.ts";

export const verifyCommand = defineCommand({
  settings: logSettings,
  options: { json },
  examples: ["vitrine verify", "vitrine verify --json"],
  run: ({ config, options }) => interruptible((signal) => verify(config, !options.json, signal)),
});

/**
 * Replays the log up to the checkpoint of the live generation and compares the two, row by row.
 * A child process reads the live generation, because a damaged file may end its reader. The exit code is 1 when they
 * differ, or the live generation is damaged.
 * @throws VitrineError `divergence` when the log is incomplete or does not continue the model; `outdated` when the
 * model was made with other text data; `operator_state_damaged`, because no log restores that state
 */
const verify = async (
  config: LogConfig,
  showProgress: boolean,
  signal: AbortSignal,
): Promise<Report> => {
  const model = openModelDirectory(config);
  await assertSameTextData(config.dataDir);
  await assertOperatorStateIntact(model.directory.path);
  const building = { config, model, isToEnd: false, showProgress, signal };
  return buildInScratch({ ...building, doing: "verify" }, async (built) => {
    if (!built.isContinued) throw notContinued();
    const isIntact = built.comparison?.isSame ?? false;
    return {
      json: toReport(built, isIntact),
      show: () => show(built, isIntact),
      exitCode: isIntact ? 0 : 1,
    };
  });
};

/**
 * Rejects a model whose index rows another ICU made, because a replay on this Node makes other rows. A damaged model
 * passes: the comparison reports the damage.
 */
const assertSameTextData = async (dataDir: string): Promise<void> => {
  const written = await readLiveCheckpoint(dataDir).catch(() => undefined);
  if (written === undefined || !hasOtherTextData(written)) return;
  throw new VitrineError(
    "outdated",
    `the live generation was made with other text data than this Node has, so the two cannot be compared: ${describeTextDataChange(written.textData)}`,
    "run vitrine verify with the Node that runs the service; or start vitrine serve with this Node, which rebuilds the model",
  );
};

const notContinued = (): VitrineError =>
  new VitrineError(
    "divergence",
    "the event log does not continue the live generation, so a replay gives another model",
    "vitrine status shows the reason; vitrine rebuild builds a generation from the current log",
  );

const show = (built: CandidateBuild, isIntact: boolean): void => {
  const { comparison, damage, read } = built;
  print(`replayed ${formatThroughput(read)}`);
  if (damage) print(damage.message);
  if (comparison) showComparison(comparison);
  if (isIntact) return;
  for (const note of [...differenceNotes(built), ...versionNotes(built)])
    printError(`  -> ${note}`);
  printError("  -> vitrine rebuild builds an intact generation from the log");
};

const versionNotes = ({ baseline }: CandidateBuild): readonly string[] => {
  const written = baseline?.checkpoint?.projections;
  return written === undefined || written === projectionVersions
    ? []
    : [
        "other versions of the projections wrote the live generation: the service rebuilds it at the next start",
      ];
};

const toReport = (built: CandidateBuild, isIntact: boolean) => ({
  intact: isIntact,
  comparison: built.comparison ?? null,
  damage: built.damage?.message ?? null,
  notes: [...differenceNotes(built), ...versionNotes(built)],
  ...built.read,
});
