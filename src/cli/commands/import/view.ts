import type { PassResult } from "../../../gateway/import/read-files.ts";
import type { Report } from "../../define-command.ts";
import { formatCount, print, printError } from "../../terminal/output.ts";
import type { ImportCommandOptions } from "./options.ts";

export interface ImportOutcome extends PassResult {
  readonly deleted: number;
  /** Address of the log; undefined when nothing was published. */
  readonly address: string | undefined;
}

const maxShownRows = 20;

export const reportImport = (outcome: ImportOutcome, options: ImportCommandOptions): Report => {
  const { events, translated, deleted, bad, badCount, address } = outcome;
  return {
    json: {
      ...{ events, translated, deleted, isPublished: address !== undefined },
      ignored: Object.fromEntries(outcome.ignored),
      leftOut: Object.fromEntries(outcome.leftOut),
      ...{ refused: bad, refusedCount: badCount },
    },
    show() {
      // Standard output of a dry run has events alone.
      for (const line of listNotes(outcome, options)) (options.dryRun ? printError : print)(line);
      if (!options.dryRun) showPublished(outcome);
    },
    exitCode: badCount > 0 ? 1 : 0,
  };
};

const listNotes = (
  { bad, badCount, ignored, leftOut }: ImportOutcome,
  { complete }: ImportCommandOptions,
): readonly string[] => {
  const shown = bad.slice(0, maxShownRows);
  const more = badCount - shown.length;
  return [
    ...shown.map(
      ({ file, line, column, reason }) => `${file}:${line}: ${column ?? "row"}: ${reason}`,
    ),
    ...(more > 0 ? [`… and ${formatCount(more, "more row")}`] : []),
    ...[...ignored].map(([reason, times]) => `ignored ${times}: ${reason}`),
    ...[...leftOut].map(([member, times]) => `left out ${times}: ${member}`),
    ...(complete && badCount > 0
      ? ["deleted nothing: a bad row may be one of a product that the shop has"]
      : []),
  ];
};

const showPublished = ({ events, translated, deleted, badCount, address }: ImportOutcome): void => {
  const refused = `${formatCount(badCount, "row was", "rows were")} refused`;
  if (address === undefined) {
    printError(
      `vitrine: nothing was published: ${refused}\n  -> correct them, or import the others with --skip-invalid`,
    );
    return;
  }
  const deletions = deleted > 0 ? `, ${formatCount(deleted, "deletion")} among them` : "";
  const skipped = badCount > 0 ? `, ${refused}` : "";
  print(
    `published ${formatCount(events + deleted, "event")} of ${formatCount(translated, "body", "bodies")} to ${address}${deletions}${skipped}`,
  );
};
