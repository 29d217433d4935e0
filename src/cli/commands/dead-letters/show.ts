import type { Command } from "commander";
import type { Flags } from "../../../config.ts";
import { VitrineError } from "../../../errors.ts";
import { readDiscards } from "../../../read-model/operator/discards.ts";
import type { DeadLetter } from "../../../read-model/schema/checkpoint.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { type CommandLine, integerParser } from "../../define-command.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { escapeLines, escapeText } from "../../terminal/escape.ts";
import { colours, formatCount, print, printJson } from "../../terminal/output.ts";
import { type DeadLetterBody, parseDeadLetterBody } from "./body.ts";
import { type DeadLetterEntry, toDeadLetterEntry, withDeadLetters } from "./list.ts";
import { openLogTimes } from "./log-times.ts";

export const describeDeadLetterShow = (line: CommandLine, parent: Command): void => {
  line
    .command({
      usage: "show",
      description: "show a rejected event in full",
      settings: logSettings,
      examples: ["vitrine dead-letters show 17"],
      parent,
    })
    .argument("<sequence>", "sequence of the event in the log", integerParser("sequence", 1))
    .option("--json", "print JSON", false)
    .action(async (sequence: number, { json, ...flags }: Flags & { json: boolean }) =>
      line.done(await showDeadLetter(line.config(flags, logSettings), sequence, json)),
    );
};

/** A dead letter in the output of `show --json`. */
export interface DeadLetterWithBody extends DeadLetterEntry {
  readonly headers: DeadLetter["headers"];
  readonly bytes: number;
  readonly body: DeadLetterBody;
}

/** Prints one dead letter, open or discarded, with its event. @returns exit code */
const showDeadLetter = async (
  config: LogConfig,
  sequence: number,
  json: boolean,
): Promise<number> =>
  withDeadLetters(config, async (store, operator) => {
    const letter = store.get(tables.deadLetters, sequence);
    if (!letter) {
      throw new VitrineError(
        "unknown",
        `there is no dead letter with sequence ${sequence}`,
        "vitrine dead-letters list shows those there are",
      );
    }
    const times = await openLogTimes(config, true);
    try {
      const bytes = Buffer.from(letter.body, "base64");
      const shown: DeadLetterWithBody = {
        ...toDeadLetterEntry(readDiscards(store, operator), letter, await times.get(letter)),
        headers: letter.headers,
        bytes: bytes.length,
        body: parseDeadLetterBody(bytes),
      };
      if (json) printJson(shown);
      else printDeadLetter(shown);
      return 0;
    } finally {
      await times.close();
    }
  });

const printDeadLetter = (letter: DeadLetterWithBody): void => {
  const { sequence, logTime, subject, code, field, reason, discarded, bytes, body } = letter;
  const lines: readonly (readonly [string, string | null])[] = [
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
  for (const [name, text] of lines) {
    if (text !== null) print(`${colours.dim(escapeText(name).padEnd(12))} ${escapeText(text)}`);
  }
  print(escapeLines(body.form === "JSON" ? JSON.stringify(body.content, null, 2) : body.content));
};
