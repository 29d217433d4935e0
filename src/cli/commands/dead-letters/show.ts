import type { Command } from "commander";
import type { Flags } from "../../../config.ts";
import { VitrineError } from "../../../errors.ts";
import { discardsFor } from "../../../read-model/operator/discards.ts";
import type { DeadLetter } from "../../../read-model/schema/checkpoint.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { type CommandLine, wholeNumber } from "../../define-command.ts";
import { type LogConfig, logSettings } from "../../shared-options.ts";
import { plainLines, plainText } from "../../terminal/escape.ts";
import { colours, counted, print, printJson } from "../../terminal/output.ts";
import { bodyOf, type LetterBody } from "./body.ts";
import { type ListedLetter, listed, withLetters } from "./list.ts";
import { openLogTimes } from "./log-times.ts";

export const describeLetterShow = (line: CommandLine, parent: Command): void => {
  line
    .command({
      usage: "show",
      tells: "show a rejected event in full",
      settings: logSettings,
      examples: ["vitrine dead-letters show 17"],
      parent,
    })
    .argument("<sequence>", "sequence of the event in the log", wholeNumber("sequence", 1))
    .option("--json", "print JSON", false)
    .action(async (sequence: number, { json, ...flags }: Flags & { json: boolean }) =>
      line.done(await show(line.config(flags, logSettings), sequence, json)),
    );
};

/** A dead letter in the output of `show --json`. */
export interface ShownLetter extends ListedLetter {
  readonly headers: DeadLetter["headers"];
  readonly bytes: number;
  readonly body: LetterBody;
}

/** Prints one dead letter, open or discarded, with its event. @returns exit code */
export const show = async (config: LogConfig, sequence: number, json: boolean): Promise<number> =>
  withLetters(config, async (store, operator) => {
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
      const shown: ShownLetter = {
        ...listed(discardsFor(store, operator), letter, await times.of(letter)),
        headers: letter.headers,
        bytes: bytes.length,
        body: bodyOf(bytes),
      };
      if (json) printJson(shown);
      else printDeadLetter(shown);
      return 0;
    } finally {
      await times.close();
    }
  });

const printDeadLetter = (letter: ShownLetter): void => {
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
    ["body", `${counted(bytes, "byte")}, ${body.form}`],
  ];
  for (const [name, text] of lines) {
    if (text !== null) print(`${colours.dim(plainText(name).padEnd(12))} ${plainText(text)}`);
  }
  print(plainLines(body.form === "JSON" ? JSON.stringify(body.content, null, 2) : body.content));
};
