import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { GenerationInfo } from "../../ops/console/types.ts";
import { explainEntity } from "../../projector/explain/explain.ts";
import type { Explanation } from "../../projector/explain/explanation.ts";
import { createHtmlRenderer } from "../../projector/rendering/index.ts";
import { readComparison } from "../../read-model/compare/comparison-file.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../read-model/generations/data-directory.ts";
import { readCheckpoint, type Store } from "../../read-model/store/store.ts";
import { openLogToRead } from "../event-log.ts";
import { readGeneration } from "../live-store.ts";
import { noModel } from "../model-directory.ts";
import { withProbedOperatorReader } from "../operator-state.ts";
import type { LogConfig, QueryWorkerConfig } from "../shared-options.ts";
import { onSupervisorMessage, sendToSupervisor, toErrorPayload } from "../supervisor/ipc.ts";
import type { ErrorPayload } from "../supervisor/messages.ts";
import { addLogTimes, readDeadLetter, readDeadLetterPage } from "./dead-letters.ts";
import type { Queries, QueryName, QueryRequest, QueryResult } from "./protocol.ts";

interface QueryWorkerDeps {
  readonly config: QueryWorkerConfig;
  readonly log: Logger;
  /** Resolves when shutdown is requested. */
  readonly shutdownRequested: Promise<void>;
}

/** Answers queries of the supervisor until shutdown is requested. Nothing stays open between two queries. */
export const runQueryWorker = async ({
  config,
  log,
  shutdownRequested,
}: QueryWorkerDeps): Promise<void> => {
  const handlers = createQueryHandlers(openDataDirectory(config.dataDir), config);
  onSupervisorMessage("query", (request) => {
    runQuery(handlers, request).then(sendToSupervisor, (error) => {
      if (!(error instanceof VitrineError)) log.error({ err: error }, "a query failed");
      sendToSupervisor({ kind: "queryError", id: request.id, ...toReplyError(error) });
    });
  });
  sendToSupervisor({ kind: "listening" });
  await shutdownRequested;
};

/** Converts an error for the reply. The message of a bug goes to the log only. */
const toReplyError = (error: unknown): ErrorPayload =>
  toErrorPayload(
    error instanceof VitrineError ? error : new VitrineError("internal", "a query failed"),
  );

type QueryHandlers = {
  readonly [K in QueryName]: (args: Queries[K]["args"]) => Promise<Queries[K]["result"]>;
};

const runQuery = async <K extends QueryName>(
  handlers: QueryHandlers,
  { id, query, args }: QueryRequest<K>,
): Promise<QueryResult<K>> => ({
  kind: "result",
  id,
  query,
  result: await handlers[query](args),
});

const createQueryHandlers = (
  directory: DataDirectory,
  config: QueryWorkerConfig,
): QueryHandlers => ({
  async deadLetters(params) {
    const page = await readLive(directory, (store) =>
      withProbedOperatorReader(directory.path, (operator) =>
        readDeadLetterPage(store, operator, params),
      ),
    );
    return addLogTimes(config, page);
  },
  deadLetter: ({ sequence }) => readLive(directory, (store) => readDeadLetter(store, sequence)),
  generations: () => listGenerations(directory),
  explain: ({ subject }) => readLive(directory, (store) => explainFromLog(config, store, subject)),
});

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
