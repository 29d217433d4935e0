import {
  countOpenDeadLetters,
  type Discards,
  findDiscard,
  newestDeadLetters,
  readDiscards,
} from "../../../read-model/operator/discards.ts";
import type { OperatorReader } from "../../../read-model/operator/state.ts";
import type { DeadLetter } from "../../../read-model/schema/checkpoint.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { Store } from "../../../read-model/store/store.ts";
import { flag, integerFrom, json, withDefault } from "../../command-spec.ts";
import { defineCommand, type Report } from "../../define-command.ts";
import { withLiveStore } from "../../live-store.ts";
import { withLogTimes } from "../../log-times.ts";
import { withOperatorReader } from "../../operator-state.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { colours, formatCount, print } from "../../terminal/output.ts";
import { formatEventLine } from "../../terminal/table.ts";

export const listCommand = defineCommand({
  settings: logSettings,
  options: {
    limit: withDefault(20, "<n>", "maximum number of events", integerFrom(1)),
    discarded: flag("show discarded events instead of open ones"),
    json,
  },
  examples: ["vitrine dead-letters list --limit 100"],
  run: ({ config, options }) => listDeadLetters(config, options.limit, options.discarded),
});

/** A dead letter in the output of `list --json`. Times are ISO 8601. */
export interface DeadLetterEntry extends Omit<DeadLetter, "headers" | "body"> {
  /** Time at which the log took the event; null when the log cannot give it. */
  readonly logTime: string | null;
  /** Time of the discard; null for an open dead letter. */
  readonly discarded: string | null;
}

const listDeadLetters = (config: LogConfig, limit: number, discarded: boolean): Promise<Report> =>
  withDeadLetters(config, async (store, operator) => {
    const open = countOpenDeadLetters(store, operator);
    const counts = { open, discarded: (store.get(tables.counters, "deadLetters") ?? 0) - open };
    const discards = readDiscards(store, operator);
    const chosen = newestDeadLetters(store, discards, { discarded, limit });
    const letters: DeadLetterEntry[] = [];
    await withLogTimes(config, chosen.length > 0, async (readTime) => {
      for (const letter of chosen)
        letters.push(toDeadLetterEntry(discards, letter, await readTime(letter)));
    });
    return {
      json: { letters, ...counts },
      show: () => showList(letters, discarded, counts),
    };
  });

/** Opens the live generation and the operator state, which holds the discards, and reads both. */
export const withDeadLetters = <T>(
  config: LogConfig,
  read: (store: Store, operator: OperatorReader) => Promise<T>,
): Promise<T> =>
  withLiveStore(config, (store) =>
    withOperatorReader(config.dataDir, (operator) => read(store, operator)),
  );

/** Builds the list entry of a dead letter. @param logTime ISO 8601 */
export const toDeadLetterEntry = (
  discards: Discards,
  letter: DeadLetter,
  logTime: string | null,
): DeadLetterEntry => {
  const { sequence, subject, code, field, reason } = letter;
  const discard = findDiscard(discards, letter);
  const discarded = discard ? new Date(discard.time).toISOString() : null;
  return { sequence, logTime, subject, code, field, reason, discarded };
};

const showList = (
  letters: readonly DeadLetterEntry[],
  discarded: boolean,
  counts: { readonly open: number; readonly discarded: number },
): void => {
  for (const { sequence, logTime, subject, code, field, reason } of letters) {
    const time = colours.dim((logTime ?? "time unknown").padEnd(24));
    const why = `${subject}  ${code}  ${field ?? "event"}: ${reason}`;
    print(formatEventLine(sequence, time, why));
  }
  const all = discarded ? counts.discarded : counts.open;
  const shown = letters.length < all ? `, the newest ${letters.length} shown` : "";
  const others = discarded ? `${counts.open} open` : `${counts.discarded} discarded`;
  const kind = discarded ? "discarded dead letter" : "open dead letter";
  print(`${formatCount(all, kind)}${shown} (${others})`);
};
