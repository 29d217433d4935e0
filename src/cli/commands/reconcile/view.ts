import { type EventTime, formatEventTime } from "../../../events/time.ts";
import type {
  EntityDifference,
  Finding,
  KindReport,
  Reconciliation,
} from "../../../projector/reconcile/reconcile.ts";
import type { InvalidLine } from "../../../projector/reconcile/snapshot.ts";
import type { Report } from "../../define-command.ts";
import { type BadLine, showLines } from "../../event-files/check-files.ts";
import type { InputFile } from "../../event-files/input-files.ts";
import { colours, formatCount, print, printError } from "../../terminal/output.ts";
import type { PublishedCorrections } from "./publish-corrections.ts";

export interface ReconcileResult extends Reconciliation {
  readonly input: InputFile;
  /** Time of the export. */
  readonly asOf: EventTime;
  readonly generation: string;
  /** Events of the log that the model does not include; null when the log is unreachable. */
  readonly behind: number | null;
  readonly published: PublishedCorrections | null;
}

/** Reports the bad lines of an export in the format of `vitrine lint`. */
export const reportInvalidLines = (input: InputFile, invalid: readonly InvalidLine[]): Report => {
  const badLines: readonly BadLine[] = invalid.map((line) => ({ file: input.name, ...line }));
  return {
    json: { refused: badLines.slice(0, maxReported), refusedCount: badLines.length },
    show() {
      showLines(badLines, badLines.length);
      printError(
        `vitrine: nothing was compared: ${formatCount(badLines.length, "line is", "lines are")} invalid\n  -> fix them first: a partial export would make valid entities look deleted`,
      );
    },
    exitCode: 1,
  };
};

/** Limits the differences, and the bad lines, in `--json`. */
const maxReported = 1_000;

/** Reports a reconciliation. The exit code is 1 when there are differences and nothing was published. */
export const reportReconciliation = (result: ReconcileResult, publish: boolean): Report => {
  const { input, asOf, generation, behind, kinds, differences, published } = result;
  return {
    json: {
      file: input.name,
      asOf: formatEventTime(asOf),
      generation,
      behind,
      kinds,
      differences: differences.slice(0, maxReported),
      differenceCount: differences.length,
      published,
    },
    show: () => showForTerminal(result, publish),
    exitCode: countCorrectable(result) > 0 && !published ? 1 : 0,
  };
};

/** Counts the differences that corrections remove. An entity that changed after the export is not corrected. */
export const countCorrectable = ({ differences }: Pick<Reconciliation, "differences">): number =>
  differences.filter(({ finding }) => finding !== "newer").length;

const showForTerminal = (report: ReconcileResult, publish: boolean): void => {
  const { kinds, differences, asOf, behind } = report;
  print(colours.dim(`export of ${formatEventTime(asOf)}`));
  for (const kind of kinds) {
    print(kindLine(kind));
    const those = differences.filter((difference) => difference.kind === kind.kind);
    for (const difference of those.slice(0, maxShownPerKind)) showDifference(difference);
    if (those.length > maxShownPerKind)
      print(`  … and ${formatCount(those.length - maxShownPerKind, "more", "more")}`);
  }
  if (behind) {
    printError(
      `the model is ${formatCount(behind, "event")} behind the log, and what these events change counts as a difference: run vitrine reconcile again when vitrine status shows no lag`,
    );
  }
  showMatch(report, publish);
};

const maxShownPerKind = 10;

const kindLine = ({
  kind,
  exported,
  missing,
  leftOver,
  different,
  newer,
  omitted: notInExport,
}: KindReport): string => {
  const parts = [
    [missing, "missing"],
    [leftOver, "left over"],
    [different, "different"],
    [newer, "changed since the export"],
    [notInExport, "not in the export (unchanged)"],
  ] as const;
  const counts = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `${colours.bold(kind)}: ${exported.toLocaleString("en")} in the export, ${counts.join(", ") || "all equal"}`;
};

const findingTexts: Readonly<Record<Finding, string>> = {
  missing: "missing in the model",
  left_over: "left over in the model",
  different: "different",
  newer: "changed since the export",
};

const showDifference = ({ kind, key, finding, fields }: EntityDifference): void => {
  const name = kind === key ? kind : `${kind}/${key}`;
  print(`  ${name}: ${findingTexts[finding]}`);
  for (const { path, before, after } of fields) {
    print(
      colours.dim(
        `    ${path}: ${before ?? "nothing"} in the model, ${after ?? "nothing"} in the export`,
      ),
    );
  }
};

const showMatch = (report: ReconcileResult, publish: boolean): void => {
  const count = countCorrectable(report);
  if (count === 0) print("nothing to correct");
  else if (report.published) {
    const { accepted, duplicates, address } = report.published;
    const already = duplicates > 0 ? `, ${duplicates} were already there` : "";
    print(`published ${formatCount(accepted, "correction")} to ${address}${already}`);
  } else if (!publish) {
    print(`${formatCount(count, "difference")}; --publish appends the events that correct them`);
  }
};
