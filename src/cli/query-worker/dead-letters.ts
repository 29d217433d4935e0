import { isUtf8 } from "node:buffer";
import type {
  DeadLetterDetail,
  DeadLetterPage,
  DeadLetterParams,
} from "../../ops/console/types.ts";
import {
  countOpenDeadLetters,
  isDiscarded,
  readDiscards,
} from "../../read-model/operator/discards.ts";
import type { OperatorReader } from "../../read-model/operator/state.ts";
import type { DeadLetter } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { ReadTables } from "../../read-model/store/store.ts";
import { withLogTimes } from "../log-times.ts";
import type { LogConfig } from "../shared-options.ts";

/** A page of dead letters, without discarded ones. */
export interface DeadLetterSlice extends Pick<DeadLetterPage, "total" | "older"> {
  readonly letters: readonly DeadLetter[];
}

/** Reads a page of open dead letters, newest first. */
export const readDeadLetterPage = (
  stored: ReadTables,
  operator: OperatorReader,
  { before, limit }: DeadLetterParams,
): DeadLetterSlice => {
  const total = countOpenDeadLetters(stored, operator);
  const discards = readDiscards(stored, operator);
  const letters: DeadLetter[] = [];
  const range = { reverse: true, ...(before === undefined ? {} : { start: before - 1 }) };
  for (const sequence of stored.keys(tables.deadLetters, range)) {
    if (isDiscarded(stored, discards, sequence)) continue;
    if (letters.length === limit)
      return { letters, total, older: letters.at(-1)?.sequence ?? null };
    const letter = stored.get(tables.deadLetters, sequence);
    if (letter) letters.push(letter);
  }
  return { letters, total, older: null };
};

/** Adds the log time of each dead letter, if the log holds it, and omits the event bodies. */
export const addLogTimes = (config: LogConfig, page: DeadLetterSlice): Promise<DeadLetterPage> =>
  withLogTimes(config, page.letters.length > 0, async (readTime) => {
    const letters = page.letters.map(async (letter) => {
      const { sequence, subject, code, reason, field } = letter;
      return { sequence, logTime: await readTime(letter), subject, code, reason, field };
    });
    return { ...page, letters: await Promise.all(letters) };
  });

/** Limits the bytes of an event that the console shows; `vitrine dead-letters show` prints all. */
const maxShownBytes = 64 * 1024;

/**
 * Reads one dead letter, open or discarded, with its event.
 * @returns undefined when there is none
 */
export const readDeadLetter = (
  stored: ReadTables,
  sequence: number,
): DeadLetterDetail | undefined => {
  const letter = stored.get(tables.deadLetters, sequence);
  if (!letter) return undefined;
  const { body, ...rest } = letter;
  const bytes = Buffer.from(body, "base64");
  const shown = bytes.subarray(0, maxShownBytes);
  const isText = isUtf8(bytes);
  return {
    ...rest,
    bytes: bytes.length,
    // The stream mode omits a character that the cut splits.
    text: isText ? new TextDecoder().decode(shown, { stream: true }) : null,
    base64: isText ? null : shown.toString("base64"),
    isCut: bytes.length > maxShownBytes,
  };
};
