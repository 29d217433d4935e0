import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { ConsoleQuery } from "../../ops/console/api.ts";
import { explainEntity } from "../../projector/explain/explain.ts";
import { createHtmlRenderer } from "../../projector/rendering/index.ts";
import { readComparison } from "../../read-model/compare/comparison-file.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../read-model/generations/data-directory.ts";
import { readCheckpoint } from "../../read-model/store/store.ts";
import { withEventLog } from "../event-log.ts";
import { readGeneration, withLiveStore } from "../live-store.ts";
import type { LogConfig, QueryWorkerConfig } from "../shared-options.ts";
import { onSupervisorMessage, sendToSupervisor, toErrorPayload } from "../supervisor/ipc.ts";
import { listDeadLetters, readDeadLetter } from "./dead-letters.ts";

interface QueryWorkerDeps {
  readonly config: QueryWorkerConfig;
  readonly log: Logger;
  readonly shutdownRequested: Promise<void>;
}

/** Answers queries of the supervisor until shutdown is requested. Nothing stays open between two queries. */
export const runQueryWorker = async ({
  config,
  log,
  shutdownRequested,
}: QueryWorkerDeps): Promise<void> => {
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
