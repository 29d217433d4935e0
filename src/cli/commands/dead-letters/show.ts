import { isUtf8 } from "node:buffer";
import { VitrineError } from "../../../errors.ts";
import { readDiscards } from "../../../read-model/operator/discards.ts";
import type { DeadLetter } from "../../../read-model/schema/checkpoint.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { argument, integerFrom, json } from "../../command-spec.ts";
import { defineCommand, type Report } from "../../define-command.ts";
import { withLogTimes } from "../../log-times.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { formatCount, print } from "../../terminal/output.ts";
import { formatFields } from "../../terminal/table.ts";
import { type DeadLetterEntry, toDeadLetterEntry, withDeadLetters } from "./list.ts";

export const showCommand = defineCommand({
  settings: logSettings,
  argument: argument("<sequence>", "sequence of the event in the log", integerFrom(1)),
  options: { json },
  examples: ["vitrine dead-letters show 17"],
  run: ({ config, argument: sequence }) => showDeadLetter(config, sequence),
});

export interface DeadLetterWithBody extends DeadLetterEntry {
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
