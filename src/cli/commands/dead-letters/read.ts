import { isUtf8 } from "node:buffer";
import { VitrineError } from "../../../errors.ts";
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
import { argument, flag, integerFrom, json, withDefault } from "../../command-spec.ts";
import { defineCommand, type Report } from "../../define-command.ts";
import { withLiveStore } from "../../live-store.ts";
import { withLogTimes } from "../../log-times.ts";
import { withOperatorReader } from "../../operator-state.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { colours, formatCount, print } from "../../terminal/output.ts";
import { formatEventLine, formatFields } from "../../terminal/table.ts";

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
interface DeadLetterEntry extends Omit<DeadLetter, "headers" | "body"> {
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
const withDeadLetters = <T>(
  config: LogConfig,
  read: (store: Store, operator: OperatorReader) => Promise<T>,
): Promise<T> =>
  withLiveStore(config, (store) =>
    withOperatorReader(config.dataDir, (operator) => read(store, operator)),
  );

/** Builds the list entry of a dead letter. @param logTime ISO 8601 */
const toDeadLetterEntry = (
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

export const showCommand = defineCommand({
  settings: logSettings,
  argument: argument("<sequence>", "sequence of the event in the log", integerFrom(1)),
  options: { json },
  examples: ["vitrine dead-letters show 17"],
  run: ({ config, argument: sequence }) => showDeadLetter(config, sequence),
});

interface DeadLetterWithBody extends DeadLetterEntry {
  readonly headers: DeadLetter["headers"];
  readonly bytes: number;
  readonly body: DeadLetterBody;
}

const showDeadLetter = (config: LogConfig, sequence: number): Promise<Report> =>
  withDeadLetters(config, async (store, operator) => {
    const letter = store.get(tables.deadLetters, sequence);
    if (!letter) {
      throw new VitrineError(
        "unknown",
        `there is no dead letter with sequence ${sequence}`,
        "vitrine dead-letters list shows all",
      );
    }
    const logTime = await withLogTimes(config, true, (readTime) => readTime(letter));
    const bytes = Buffer.from(letter.body, "base64");
    const shown: DeadLetterWithBody = {
      ...toDeadLetterEntry(readDiscards(store, operator), letter, logTime),
      headers: letter.headers,
      bytes: bytes.length,
      body: parseDeadLetterBody(bytes),
    };
    return { json: shown, show: () => printDeadLetter(shown) };
  });

const printDeadLetter = (letter: DeadLetterWithBody): void => {
  const { sequence, logTime, subject, code, field, reason, discarded, bytes, body } = letter;
  const fields: readonly (readonly [string, string | null])[] = [
    ["sequence", String(sequence)],
    ["log time", logTime ?? "unknown"],
    ["subject", subject],
    ["code", code],
    ["field", field],
    ["reason", reason],
    ["discarded", discarded],
    ...Object.entries(letter.headers).map(([name, value]) => [name, value] as const),
    ["body", `${formatCount(bytes, "byte")}, ${body.form}`],
  ];
  for (const line of formatFields(fields)) print(line);
  print(
    body.form === "JSON"
      ? JSON.stringify(body.content, null, 2)
      : body.content.replaceAll("\r\n", "\n"),
  );
};

/** The bytes of a message in their most readable form. */
type DeadLetterBody =
  | { readonly form: "JSON"; readonly content: unknown }
  /** Also JSON of more than `maxLevels`, whose indents would be most of the output, or end the command. */
  | { readonly form: "text"; readonly content: string }
  /** For bytes that are not UTF-8. */
  | { readonly form: "base64"; readonly content: string };

const maxLevels = 100;

const parseDeadLetterBody = (bytes: Buffer): DeadLetterBody => {
  if (!isUtf8(bytes)) return { form: "base64", content: bytes.toString("base64") };
  const text = bytes.toString("utf8");
  try {
    const content: unknown = JSON.parse(text);
    if (!isDeeper(content, maxLevels)) return { form: "JSON", content };
  } catch {
    // Bytes that are no JSON are shown as text.
  }
  return { form: "text", content: text };
};

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1)));
