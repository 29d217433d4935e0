import { VitrineError } from "../../../errors.ts";
import { createLogger } from "../../../log.ts";
import type { RetryReport, RetryResult } from "../../../projector/dead-letters/retry-report.ts";
import { argumentList, flag, integerFrom, json } from "../../command-spec.ts";
import { executeControlRequest } from "../../control-request.ts";
import { defineCommand } from "../../define-command.ts";
import { controlSettings } from "../../shared-options.ts";
import { colours, formatCount, print } from "../../terminal/output.ts";
import { interruptible } from "../../terminal/signals.ts";
import { formatEventLine } from "../../terminal/table.ts";

const shared = {
  settings: controlSettings,
  argument: argumentList("[sequence...]", "sequences of the events in the log", integerFrom(1)),
  options: { all: flag("all open ones"), json },
};

/** The exit code is 1 when a retried event is still rejected. */
export const retryCommand = defineCommand({
  ...shared,
  examples: ["vitrine dead-letters retry 17 23", "vitrine dead-letters retry --all"],
  run: ({ config, argument: typed, options }) =>
    interruptible(async (signal) => {
      const sequences = selectSequences("retry", typed, options.all);
      const request = { kind: "retry", sequences } as const;
      const report = await executeControlRequest(request, { config, log, signal });
      return {
        json: report,
        show: () => showRetry(report),
        exitCode: stillRejected(report).length > 0 || report.refused.length > 0 ? 1 : 0,
      };
    }),
});

export const discardCommand = defineCommand({
  ...shared,
  examples: ["vitrine dead-letters discard 17 23", "vitrine dead-letters discard --all"],
  run: ({ config, argument: typed, options }) =>
    interruptible(async (signal) => {
      const sequences = selectSequences("discard", typed, options.all);
      const request = { kind: "discard", sequences } as const;
      const result = await executeControlRequest(request, { config, log, signal });
      return {
        json: result,
        show: () => print(`${formatCount(result.discarded.length, "dead letter")} discarded`),
      };
    }),
});

const log = createLogger("error", "dead-letters");

/** @returns null for all open dead letters @throws VitrineError `usage` */
const selectSequences = (
  kind: string,
  typed: readonly number[],
  all: boolean,
): readonly number[] | null => {
  if (all !== typed.length > 0) return all ? null : typed;
  throw new VitrineError(
    "usage",
    all ? "--all and sequences exclude each other" : `no dead letter to ${kind} was given`,
    "give the sequences of dead letters, or --all for those that are open",
  );
};

const stillRejected = ({ retried }: RetryReport): RetryReport["retried"] =>
  retried.filter(({ outcome }) => outcome === "refused");

const showRetry = (report: RetryReport): void => {
  const { retried, refused } = report;
  for (const { sequence, subject, outcome, field, reason } of retried) {
    const why = reason === null ? acceptedNotes[outcome] : `${field ?? "event"}: ${reason}`;
    print(formatLine(sequence, outcome, subject, why));
  }
  for (const { sequence, subject, field, reason } of refused) {
    print(formatLine(sequence, "refused now", subject, `${field ?? "event"}: ${reason}`));
  }
  const accepted = retried.length - stillRejected(report).length;
  print(`${accepted} of ${formatCount(retried.length, "dead letter")} accepted`);
};

const acceptedNotes: Readonly<Partial<Record<RetryResult["outcome"], string>>> = {
  stale: "accepted; the model already held a newer event",
  repeated: "accepted; the model already held this event",
};

const formatLine = (sequence: number, outcome: string, subject: string, why = ""): string => {
  const colour = outcome.startsWith("refused") ? colours.red : colours.green;
  return formatEventLine(sequence, colour(outcome), `${subject}  ${why}`.trim());
};
