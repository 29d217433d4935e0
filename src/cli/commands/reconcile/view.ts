import { formatEventTime } from "../../../events/time.ts";
import type {
  EntityDifference,
  Finding,
  KindReport,
} from "../../../projector/reconcile/reconcile.ts";
import type { InvalidLine } from "../../../projector/reconcile/snapshot.ts";
import { type BadLine, showLines } from "../../event-files/check-files.ts";
import type { InputFile } from "../../event-files/input-files.ts";
import { colours, formatCount, print, printError, printJson } from "../../terminal/output.ts";
import type { ReconcileOptions, ReconcileReport } from "./command.ts";

/** Prints the bad lines of an export in the format of `vitrine lint`. */
export const showInvalidLines = (
  input: InputFile,
  unfit: readonly InvalidLine[],
  json: boolean,
): void => {
  const badLines: readonly BadLine[] = unfit.map((line) => ({ file: input.name, ...line }));
  if (json) {
    printJson({ refused: badLines.slice(0, maxReported), refusedCount: badLines.length });
    return;
  }
  showLines(badLines, badLines.length);
  printError(
    `vitrine: nothing was compared: ${formatCount(badLines.length, "line is", "lines are")} invalid\n  -> fix them first: a partial export would make valid entities look deleted`,
  );
};

/** Limits the differences, and the bad lines, in `--json`. */
const maxReported = 1_000;

/** Prints a reconciliation, as JSON or for a terminal. */
export const showReconciliation = (
  report: ReconcileReport,
  { json, publish }: ReconcileOptions,
): void => {
  if (!json) {
    showForTerminal(report, publish);
    return;
  }
  const { input, asOf, generation, behind, kinds, differences, published } = report;
  printJson({
    file: input.name,
    moment: formatEventTime(asOf),
    generation,
    behind,
    kinds,
    differences: differences.slice(0, maxReported),
    differenceCount: differences.length,
    published,
  });
};

const showForTerminal = (report: ReconcileReport, publish: boolean): void => {
  const { kinds, differences, asOf, behind, published } = report;
  print(colours.dim(`snapshot of ${formatEventTime(asOf)}`));
  for (const kind of kinds) {
    print(kindLine(kind));
    const those = differences.filter((difference) => difference.kind === kind.kind);
    for (const difference of those.slice(0, maxShownPerKind)) showDifference(difference);
    if (those.length > maxShownPerKind)
      print(`  … and ${formatCount(those.length - maxShownPerKind, "more", "more")}`);
  }
  if (behind) {
    printError(
      `the model is ${formatCount(behind, "event")} behind the log: what they tell shows as a difference; run it again once vitrine status says 0`,
    );
  }
  showVerdict(report, publish, published);
};

const maxShownPerKind = 10;

const kindLine = ({
  kind,
  told: compared,
  missing,
  leftOver,
  different,
  newer,
  untold,
}: KindReport): string => {
  const parts = [
    [missing, "missing"],
    [leftOver, "left over"],
    [different, "different"],
    [newer, "changed since the snapshot"],
    [untold, "not told of (left as they are)"],
  ] as const;
  const counts = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `${colours.bold(kind)}: ${formatCount(compared, "told", "told")}, ${counts.join(", ") || "all as in the model"}`;
};

const findingTexts: Readonly<Record<Finding, string>> = {
  missing: "missing in the model",
  left_over: "left over in the model",
  different: "different",
  newer: "changed since the snapshot",
};

const showDifference = ({ kind, key, finding, fields }: EntityDifference): void => {
  const name = kind === key ? kind : `${kind}/${key}`;
  print(`  ${name}: ${findingTexts[finding]}`);
  for (const { path, before, after } of fields) {
    print(
      colours.dim(
        `    ${path}: ${before ?? "nothing"} in the model, ${after ?? "nothing"} in the snapshot`,
      ),
    );
  }
};

const showVerdict = (
  { differences }: ReconcileReport,
  publish: boolean,
  published: ReconcileReport["published"],
): void => {
  const count = differences.filter(({ finding }) => finding !== "newer").length;
  if (count === 0) print("nothing to correct");
  else if (published) {
    const { accepted, duplicates, address } = published;
    const already = duplicates > 0 ? `, ${duplicates} were already there` : "";
    print(`published ${formatCount(accepted, "correction")} to ${address}${already}`);
  } else if (!publish) {
    print(`${formatCount(count, "difference")}; --publish appends the events that correct them`);
  }
};
