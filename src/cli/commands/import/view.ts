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

export const reportImport = (outcome: ImportOutcome, { dryRun }: ImportCommandOptions): Report => {
  const { events, translated, deleted, bad, badCount, address } = outcome;
  const [ignored, leftOut] = [outcome.ignored, outcome.leftOut].map((each) => [...each]);
  return {
    json: {
      ...{ events, translated, deleted, isPublished: address !== undefined },
      ignored: Object.fromEntries(ignored ?? []),
      leftOut: Object.fromEntries(leftOut ?? []),
      ...{ refused: bad, refusedCount: badCount },
    },
    show() {
      // Standard output of a dry run has events alone.
      const say = dryRun ? printError : print;
      for (const { file, line, column, reason } of bad.slice(0, maxShownRows))
        say(`${file}:${line}: ${column ?? "row"}: ${reason}`);
      if (badCount > maxShownRows) say(`… and ${formatCount(badCount - maxShownRows, "more row")}`);
      for (const [reason, times] of ignored ?? []) say(`ignored ${times}: ${reason}`);
      for (const [member, times] of leftOut ?? []) say(`left out ${times}: ${member}`);
      if (!dryRun) showPublished(outcome);
    },
    exitCode: badCount > 0 ? 1 : 0,
  };
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
