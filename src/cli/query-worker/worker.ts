import { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../read-model/generations/data-directory.ts";
import type { Store } from "../../read-model/store/store.ts";
import { readGeneration } from "../live-store.ts";
import { withProbedOperatorReader } from "../operator-state.ts";
import type { QueryWorkerConfig } from "../shared-options.ts";
import { type ErrorPayload, sendToSupervisor } from "../supervisor/ipc.ts";
import { addLogTimes, readDeadLetter, readDeadLetterPage } from "./dead-letters.ts";
import { explainFromLog } from "./explain.ts";
import { listGenerations } from "./generations.ts";
import type { Query, QueryRequest } from "./protocol.ts";

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
  const directory = openDataDirectory(config.dataDir);
  process.on("message", ({ id, query }: QueryRequest) => {
    runQuery(query, directory, config).then(
      (answer) => sendToSupervisor({ kind: "looked", id, answer }),
      (error) => {
        if (!(error instanceof VitrineError)) log.error({ err: error }, "a look-up failed");
        sendToSupervisor({ kind: "cannotLook", id, ...toReplyError(error) });
      },
    );
  });
  sendToSupervisor({ kind: "listening" });
  await shutdownRequested;
};

/** Converts an error for the reply. The message of a bug goes to the log only. */
const toReplyError = (error: unknown): ErrorPayload => {
  const { code, message, hint } =
    error instanceof VitrineError ? error : new VitrineError("internal", "a look-up failed");
  return { code, message, hint };
};

const runQuery = async (
  query: Query,
  directory: DataDirectory,
  config: QueryWorkerConfig,
): Promise<unknown> => {
  switch (query.kind) {
    case "deadLetters":
      return addLogTimes(
        config,
        await readLive(directory, (store) =>
          withProbedOperatorReader(directory.path, (operator) =>
            readDeadLetterPage(store, operator, query.params),
          ),
        ),
      );
    case "deadLetter":
      return readLive(directory, (store) => readDeadLetter(store, query.sequence));
    case "generations":
      return listGenerations(directory);
    case "explain":
      return readLive(directory, (store) => explainFromLog(config, store, query.subject));
  }
};

/** Reads the live generation. @throws `no_model` when there is none yet */
const readLive = <T>(
  directory: DataDirectory,
  read: (store: Store) => T | Promise<T>,
): Promise<T> => {
  const live = directory.live();
  if (live === undefined) return Promise.reject(noModel);
  return readGeneration(live, read);
};

const noModel = new VitrineError(
  "no_model",
  "there is no read model yet",
  "it is there once the first replay has come to the end of the log",
);
