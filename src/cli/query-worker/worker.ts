import { isUtf8 } from "node:buffer";
import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { VitrineError } from "../../errors.ts";
import type { ConsoleQuery } from "../../ops/console/api.ts";
import { explainEntity } from "../../projector/explain/explain.ts";
import { createHtmlRenderer } from "../../projector/rendering/index.ts";
import { readComparison } from "../../read-model/compare/comparison-file.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../read-model/generations/data-directory.ts";
import {
  countOpenDeadLetters,
  newestDeadLetters,
  readDiscards,
} from "../../read-model/operator/discards.ts";
import type { OperatorReader } from "../../read-model/operator/state.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { type ReadTables, readCheckpoint } from "../../read-model/store/store.ts";
import { withEventLog } from "../event-log.ts";
import { readGeneration, withLiveStore } from "../live-store.ts";
import { withLogTimes } from "../log-times.ts";
import { withProbedOperatorReader } from "../operator-state.ts";
import type { LogConfig } from "../shared-options.ts";
import { onSupervisorMessage, sendToSupervisor, toErrorPayload } from "../supervisor/ipc.ts";
import type { RoleContext } from "../supervisor/messages.ts";

/** Answers queries of the supervisor until shutdown is requested. Nothing stays open between two queries. */
export const runQueryWorker = async ({
  startMessage: { config },
  log,
  shutdownRequested,
}: RoleContext<"query">): Promise<void> => {
  const directory = openDataDirectory(config.dataDir);
  onSupervisorMessage("query", async ({ id, query }) => {
    try {
      const answer = await findAnswer(config, directory, query);
      sendToSupervisor({ kind: "answer", id, json: JSON.stringify(answer) });
    } catch (thrown) {
      const isBug = !(thrown instanceof VitrineError);
      if (isBug) log.error({ err: thrown }, "a query failed");
      // The message of a bug goes to the log only.
      const error = isBug ? new VitrineError("internal", "a query failed") : thrown;
      sendToSupervisor({ kind: "queryError", id, ...toErrorPayload(error) });
    }
  });
  sendToSupervisor({ kind: "listening" });
  await shutdownRequested;
};

/** @returns undefined when there is nothing of that name @throws `no_model` when there is no live generation yet */
const findAnswer = async (
  config: LogConfig,
  directory: DataDirectory,
  query: ConsoleQuery,
): Promise<object | undefined> => {
  const model = { dataDir: directory.path };
  switch (query.name) {
    case "deadLetters":
      return listDeadLetters(config, directory, query);
    case "deadLetter":
      return withLiveStore(model, (store) => readDeadLetter(store, query.sequence));
    case "explain":
      return withLiveStore(model, (store) =>
        withEventLog(config, (eventLog) =>
          explainEntity(eventLog, store, createHtmlRenderer(), query.subject),
        ),
      );
    case "generations":
      return listGenerations(directory);
  }
};

/** Lists the generations of a data directory, newest first; omits one that is removed meanwhile. */
const listGenerations = async (directory: DataDirectory): Promise<readonly object[]> => {
  const all = [...directory.generations()].reverse();
  const facts = await Promise.all(all.map((path) => readInfo(path, getRole(path, directory))));
  return facts.flatMap((each) => each ?? []);
};

/** `live` serves reads; `previous` is kept for a rollback; `other` is neither, such as a candidate. */
const getRole = (path: string, directory: DataDirectory): "live" | "previous" | "other" => {
  if (path === directory.live()) return "live";
  return path === directory.previous() ? "previous" : "other";
};

const readInfo = async (path: string, role: string): Promise<object | undefined> => {
  const file = statSync(join(path, "data.mdb"), { throwIfNoEntry: false });
  if (!file) return undefined;
  const { checkpoint, sizes } = await readGeneration(path, (store) => ({
    checkpoint: readCheckpoint(store)?.sequence ?? null,
    sizes: Object.entries(store.sizes()),
  }));
  return {
    name: basename(path),
    role,
    created: statSync(path).birthtime.toISOString(),
    bytes: file.size,
    checkpoint,
    rows: Object.fromEntries(sizes.map(([name, { rows }]) => [name, rows])),
    comparison: readComparison(path) ?? null,
  };
};

type PageQuery = Extract<ConsoleQuery, { readonly name: "deadLetters" }>;

/**
 * Lists open dead letters without their events, newest first, with the time at which the log stored each; null when unknown.
 * `older` is the `before` of the next page; null on the last page.
 */
const listDeadLetters = async (
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
const readDeadLetter = (stored: ReadTables, sequence: number): object | undefined => {
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
