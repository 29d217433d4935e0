import { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../read-model/generations/data-directory.ts";
import type { Store } from "../../read-model/store/store.ts";
import { readGeneration } from "../live-store.ts";
import { noModel } from "../model-directory.ts";
import { withProbedOperatorReader } from "../operator-state.ts";
import type { QueryWorkerConfig } from "../shared-options.ts";
import { onSupervisorMessage, sendToSupervisor, toErrorPayload } from "../supervisor/ipc.ts";
import type { ErrorPayload } from "../supervisor/messages.ts";
import { addLogTimes, readDeadLetter, readDeadLetterPage } from "./dead-letters.ts";
import { explainFromLog } from "./explain.ts";
import { listGenerations } from "./generations.ts";
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
