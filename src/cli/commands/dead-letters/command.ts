import type { Command } from "commander";
import type { Flags } from "../../../config.ts";
import { VitrineError } from "../../../errors.ts";
import { createLogger } from "../../../log.ts";
import type { ControlRequest } from "../../../projector/control/request.ts";
import type { DiscardResult } from "../../../projector/dead-letters/dead-letters.ts";
import type { RetryReport } from "../../../projector/dead-letters/retry-report.ts";
import { executeControlRequest } from "../../control-request.ts";
import { type CommandLine, integerParser } from "../../define-command.ts";
import { type ControlConfig, controlSettings } from "../../shared-options.ts";
import { escapeText } from "../../terminal/escape.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { colours, formatCount, print, printJson } from "../../terminal/output.ts";
import { describeDeadLetterList } from "./list.ts";
import { describeDeadLetterShow } from "./show.ts";

export const describeDeadLetters = (line: CommandLine): void => {
  const group = line.group("dead-letters", "show, retry and discard rejected events", [
    "vitrine dead-letters list",
    "vitrine dead-letters retry --all",
  ]);
  describeDeadLetterList(line, group);
  describeDeadLetterShow(line, group);
  const actions = [
    ["retry", "apply rejected events again"],
    ["discard", "stop counting rejected events as open; they are kept"],
  ] as const;
  for (const [kind, description] of actions) describeAction(line, group, kind, description);
};

const describeAction = (
  line: CommandLine,
  parent: Command,
  kind: "retry" | "discard",
  description: string,
): void => {
  const typed = `vitrine dead-letters ${kind}`;
  line
    .command({
      usage: kind,
      description,
      settings: controlSettings,
      examples: [`${typed} 17 23`, `${typed} --all`],
      parent,
    })
    .argument("[sequence...]", "sequences of the events in the log")
    .option("--all", "all open ones", false)
    .option("--json", "print JSON", false)
    .action(async (typed: string[], { all, json, ...flags }: Flags & ActionFlags) => {
      const request = { kind, sequences: parseSequences(kind, typed, all) };
      const config = line.config(flags, controlSettings);
      line.done(
        await interruptible((signal) => executeDeadLetterAction(config, request, json, signal)),
      );
    });
};

interface ActionFlags {
  readonly all: boolean;
  readonly json: boolean;
}

/** Parses the chosen sequences. @returns null for all open ones @throws VitrineError `usage` */
const parseSequences = (
  kind: string,
  typed: readonly string[],
  all: boolean,
): readonly number[] | null => {
  if (all !== typed.length > 0) return all ? null : typed.map(integerParser("sequence", 1));
  throw new VitrineError(
    "usage",
    all ? "--all and sequences exclude each other" : `nothing to ${kind} was named`,
    "give the sequences of dead letters, or --all for those that are open",
  );
};

type DeadLetterRequest = Extract<ControlRequest, { readonly kind: "retry" | "discard" }>;

/**
 * Makes the writer of the data directory retry or discard dead letters.
 * @returns exit code: 1 when a retried event is still rejected
 */
export const executeDeadLetterAction = async (
  config: ControlConfig,
  request: DeadLetterRequest,
  json: boolean,
  signal: AbortSignal,
): Promise<number> => {
  const log = createLogger("error", "dead-letters");
  const result = await executeControlRequest(request, { config, log, signal });
  if (json) printJson(result);
  if (request.kind === "retry") return reportRetry(result as RetryReport, json);
  if (!json) print(discardedLine(result as DiscardResult));
  return 0;
};

const discardedLine = ({ discarded }: DiscardResult): string =>
  `${formatCount(discarded.length, "dead letter")} discarded`;

const reportRetry = ({ retried, refused }: RetryReport, json: boolean): number => {
  const stillRejected = retried.filter(({ outcome }) => outcome === "refused");
  if (!json) {
    for (const { sequence, subject, outcome, field, reason } of retried) {
      const why = reason === null ? acceptedNotes[outcome] : `${field ?? "event"}: ${reason}`;
      print(line(sequence, outcome, subject, why));
    }
    for (const { sequence, subject, field, reason } of refused) {
      print(line(sequence, "refused now", subject, `${field ?? "event"}: ${reason}`));
    }
    print(
      `${retried.length - stillRejected.length} of ${formatCount(retried.length, "dead letter")} accepted`,
    );
  }
  return stillRejected.length > 0 || refused.length > 0 ? 1 : 0;
};

const acceptedNotes: Readonly<Record<string, string>> = {
  stale: "accepted; the model knew newer already",
  repeated: "accepted; the model knew it already",
};

const line = (sequence: number, outcome: string, subject: string, why = ""): string => {
  const colour = outcome.startsWith("refused") ? colours.red : colours.green;
  return `${String(sequence).padStart(6)}  ${colour(outcome)}  ${escapeText(`${subject}  ${why}`.trim())}`;
};
