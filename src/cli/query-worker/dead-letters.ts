import { isUtf8 } from "node:buffer";
import type { ConsoleQuery } from "../../ops/console/api.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import {
  countOpenDeadLetters,
  newestDeadLetters,
  readDiscards,
} from "../../read-model/operator/discards.ts";
import type { OperatorReader } from "../../read-model/operator/state.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { ReadTables } from "../../read-model/store/store.ts";
import { withLiveStore } from "../live-store.ts";
import { withLogTimes } from "../log-times.ts";
import { withProbedOperatorReader } from "../operator-state.ts";
import type { LogConfig } from "../shared-options.ts";

type PageQuery = Extract<ConsoleQuery, { readonly name: "deadLetters" }>;

/**
 * Lists open dead letters without their events, newest first, with the time at which the log stored each; null when unknown.
 * `older` is the `before` of the next page; null on the last page.
 */
export const listDeadLetters = async (
  config: LogConfig,
  { path: dataDir }: DataDirectory,
  query: PageQuery,
): Promise<object> => {
  const page = await withLiveStore({ dataDir }, (store) =>
    withProbedOperatorReader(dataDir, (operator) => readPage(store, operator, query)),
  );
  return withLogTimes(config, page.letters.length > 0, async (readTime) => {
    const letters = page.letters.map(async (letter) => {
      const { sequence, subject, code, reason, field } = letter;
      return { sequence, logTime: await readTime(letter), subject, code, reason, field };
    });
    return { ...page, letters: await Promise.all(letters) };
  });
};

const readPage = (stored: ReadTables, operator: OperatorReader, { before, limit }: PageQuery) => {
  const which = { discarded: false, limit: limit + 1, before };
  const found = newestDeadLetters(stored, readDiscards(stored, operator), which);
  const letters = found.slice(0, limit);
  const older = found.length > limit ? (letters.at(-1)?.sequence ?? null) : null;
  return { letters, total: countOpenDeadLetters(stored, operator), older };
};

/** Limits the bytes of an event that the console shows; `vitrine dead-letters show` prints all. */
const maxShownBytes = 64 * 1024;

/**
 * Reads one dead letter, open or discarded, with its event as text, or as Base64 when it is not text.
 * @returns undefined when there is none
 */
export const readDeadLetter = (stored: ReadTables, sequence: number): object | undefined => {
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
