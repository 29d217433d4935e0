import { type Command, Option } from "commander";
import type { Flags } from "../../../config.ts";
import {
  type Discards,
  discardOf,
  discardsFor,
  isDiscarded,
  openDeadLetters,
} from "../../../read-model/operator/discards.ts";
import type { OperatorReader } from "../../../read-model/operator/state.ts";
import type { DeadLetter } from "../../../read-model/schema/checkpoint.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { Store, Tables } from "../../../read-model/store/store.ts";
import { type CommandLine, wholeNumber } from "../../define-command.ts";
import { withLiveStore } from "../../live-store.ts";
import { withOperatorReader } from "../../operator-state.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { plainText } from "../../terminal/escape.ts";
import { colours, counted, print, printJson } from "../../terminal/output.ts";
import { openLogTimes } from "./log-times.ts";

export const describeLetterList = (line: CommandLine, parent: Command): void => {
  line
    .command({
      usage: "list",
      tells: "list rejected events, newest first, with the reason of each",
      settings: logSettings,
      examples: ["vitrine dead-letters list --limit 100"],
      parent,
    })
    .addOption(
      new Option("--limit <n>", "how many at most")
        .default(20)
        .argParser(wholeNumber("--limit", 1)),
    )
    .option("--discarded", "discarded events instead of open ones", false)
    .option("--json", "print JSON", false)
    .action(async ({ limit, discarded, json, ...flags }: Flags & ListFlags) =>
      line.done(await list(line.config(flags, logSettings), { limit, discarded, json })),
    );
};

export interface ListFlags {
  readonly limit: number;
  readonly discarded: boolean;
  readonly json: boolean;
}

/** A dead letter in the output of `list --json`. Times are ISO 8601. */
export interface ListedLetter extends Omit<DeadLetter, "headers" | "body"> {
  /** Time at which the log took the event; null when the log cannot give it. */
  readonly logTime: string | null;
  /** Time of the discard; null for an open dead letter. */
  readonly discarded: string | null;
}

/** Prints dead letters. @returns exit code */
export const list = async (
  config: LogConfig,
  { limit, discarded, json }: ListFlags,
): Promise<number> =>
  withLetters(config, async (store, operator) => {
    const counts = { open: openDeadLetters(store, operator), discarded: 0 };
    counts.discarded = (store.get(tables.counters, "deadLetters") ?? 0) - counts.open;
    const discards = discardsFor(store, operator);
    const chosen = selectNewest(store, discards, limit, discarded);
    const times = await openLogTimes(config, chosen.length > 0);
    try {
      const letters: ListedLetter[] = [];
      for (const letter of chosen) letters.push(listed(discards, letter, await times.of(letter)));
      if (json) printJson({ letters, ...counts });
      else showList(letters, discarded, counts);
      return 0;
    } finally {
      await times.close();
    }
  });

/** Opens the live generation and the operator state, which holds the discards, and reads both. */
export const withLetters = <T>(
  config: LogConfig,
  read: (store: Store, operator: OperatorReader) => Promise<T>,
): Promise<T> =>
  withLiveStore(config, (store) =>
    withOperatorReader(config.dataDir, (operator) => read(store, operator)),
  );

const selectNewest = (
  stored: Tables,
  discards: Discards,
  limit: number,
  discarded: boolean,
): readonly DeadLetter[] => {
  const letters: DeadLetter[] = [];
  for (const sequence of stored.keys(tables.deadLetters, { reverse: true })) {
    if (isDiscarded(stored, discards, sequence) !== discarded) continue;
    const letter = stored.get(tables.deadLetters, sequence);
    if (letter) letters.push(letter);
    if (letters.length === limit) break;
  }
  return letters;
};

/** Builds the list entry of a dead letter. @param logTime ISO 8601 */
export const listed = (
  discards: Discards,
  letter: DeadLetter,
  logTime: string | null,
): ListedLetter => {
  const { sequence, subject, code, field, reason } = letter;
  const discard = discardOf(discards, letter);
  const discarded = discard ? new Date(discard.time).toISOString() : null;
  return { sequence, logTime, subject, code, field, reason, discarded };
};

const showList = (
  letters: readonly ListedLetter[],
  discarded: boolean,
  counts: { readonly open: number; readonly discarded: number },
): void => {
  for (const { sequence, logTime, subject, code, field, reason } of letters) {
    const start = `${String(sequence).padStart(6)}  ${colours.dim((logTime ?? "time unknown").padEnd(24))}`;
    print(`${start}  ${plainText(`${subject}  ${code}  ${field ?? "event"}: ${reason}`)}`);
  }
  const all = discarded ? counts.discarded : counts.open;
  const shown = letters.length < all ? `, the newest ${letters.length} shown` : "";
  const others = discarded ? `${counts.open} open` : `${counts.discarded} discarded`;
  const kind = discarded ? "discarded dead letter" : "open dead letter";
  print(`${counted(all, kind)}${shown} (${others})`);
};
