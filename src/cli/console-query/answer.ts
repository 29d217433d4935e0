import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { ConsoleAnswer, ConsoleQuery, GenerationInfo } from "../../ops/console/types.ts";
import { explainEntity } from "../../projector/explain/explain.ts";
import type { Explanation } from "../../projector/explain/explanation.ts";
import { createHtmlRenderer } from "../../projector/rendering/index.ts";
import { readComparison } from "../../read-model/compare/comparison-file.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../read-model/generations/data-directory.ts";
import { tableSizes } from "../../read-model/generations/table-sizes.ts";
import { readCheckpoint } from "../../read-model/store/read-checkpoint.ts";
import type { Store } from "../../read-model/store/store.ts";
import { openLogToRead } from "../event-log.ts";
import { readGeneration } from "../live-store.ts";
import { noModel } from "../model-directory.ts";
import { withProbedOperatorReader } from "../operator-state.ts";
import type { LogConfig, QueryConfig } from "../shared-options.ts";
import { addLogTimes, readDeadLetter, readDeadLetterPage } from "./dead-letters.ts";

/**
 * Answers a query of the console within its own process.
 * @returns the JSON of the answer; undefined when there is nothing of that name
 * @throws VitrineError `internal` after a bug, whose message goes to the log only
 */
export const answerQuery = async (
  config: QueryConfig,
  query: ConsoleQuery,
  log: Logger,
): Promise<string | undefined> => {
  try {
    return JSON.stringify(await findAnswer(config, openDataDirectory(config.dataDir), query));
  } catch (thrown) {
    if (thrown instanceof VitrineError) throw thrown;
    log.error({ err: thrown }, "a query failed");
    throw new VitrineError("internal", "a query failed");
  }
};

const findAnswer = async (
  config: QueryConfig,
  directory: DataDirectory,
  query: ConsoleQuery,
): Promise<ConsoleAnswer> => {
  switch (query.name) {
    case "deadLetters": {
      const page = await readLive(directory, (store) =>
        withProbedOperatorReader(directory.path, (operator) =>
          readDeadLetterPage(store, operator, query),
        ),
      );
      return addLogTimes(config, page);
    }
    case "deadLetter":
      return readLive(directory, (store) => readDeadLetter(store, query.sequence));
    case "explain":
      return readLive(directory, (store) => explainFromLog(config, store, query.subject));
    case "generations":
      return listGenerations(directory);
  }
};

/** Reads the live generation. @throws `no_model` when there is none yet */
const readLive = <T>(
  directory: DataDirectory,
  read: (store: Store) => T | Promise<T>,
): Promise<T> => {
  const live = directory.live();
  if (live === undefined) return Promise.reject(noModel(directory.path));
  return readGeneration(live, read);
};

/** Lists the generations of a data directory, newest first; omits one that is removed meanwhile. */
const listGenerations = async (directory: DataDirectory): Promise<readonly GenerationInfo[]> => {
  const all = [...directory.generations()].reverse();
  const facts = await Promise.all(all.map((path) => readInfo(path, getRole(path, directory))));
  return facts.flatMap((each) => each ?? []);
};

const getRole = (path: string, directory: DataDirectory): GenerationInfo["role"] => {
  if (path === directory.live()) return "live";
  return path === directory.previous() ? "previous" : "other";
};

const readInfo = async (
  path: string,
  role: GenerationInfo["role"],
): Promise<GenerationInfo | undefined> => {
  const file = statSync(join(path, "data.mdb"), { throwIfNoEntry: false });
  if (!file) return undefined;
  const { checkpoint, sizes } = await readGeneration(path, (store) => ({
    checkpoint: readCheckpoint(store)?.sequence ?? null,
    sizes: Object.entries(tableSizes(store)),
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

/**
 * Opens the event log, explains an entity and closes the log.
 * @throws VitrineError `usage` or `event_log`
 */
const explainFromLog = async (
  config: LogConfig,
  store: Store,
  subject: string,
): Promise<Explanation> => {
  const eventLog = await openLogToRead(config);
  try {
    return await explainEntity(eventLog, store, createHtmlRenderer(), subject);
  } finally {
    await eventLog.close();
  }
};
