import { openSync, writeSync } from "node:fs";
import { messageOf } from "../../errors.ts";
import { isEnvironmentError } from "../../platform/child-probe.ts";
import { type Comparison, compareStores } from "../../read-model/compare/compare.ts";
import type { Key } from "../../read-model/schema/codec.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { openStore, type PinnedSnapshot, readCheckpoint } from "../../read-model/store/store.ts";
import type { Baseline, WorkerReply, WorkerRequest } from "./comparison-client.ts";

/**
 * Reads the live generation in a child process for `startComparisonWorker`. A damaged file may crash this process without an
 * error, so it writes its position to a file before it reads each row.
 */
const [, , directory = "", positionFile = ""] = process.argv;

const reply = (message: WorkerReply): void =>
  void process.send?.(message, undefined, undefined, () => undefined);

const describe = (stored: PinnedSnapshot): Baseline => ({
  checkpoint: readCheckpoint(stored),
  products: stored.get(tables.counters, "products") ?? 0,
});

const openBaseline = () => {
  const store = openStore(directory, { readOnly: true });
  let pinned: PinnedSnapshot | undefined;
  return {
    describe(isPinned: boolean): Baseline {
      pinned?.release();
      pinned = store.pin();
      const description = describe(pinned);
      if (isPinned) return description;
      pinned.release();
      pinned = undefined;
      return description;
    },
    async compare(built: string): Promise<Comparison> {
      const baseline = pinned ?? store.pin();
      pinned = undefined;
      const candidateStore = openStore(built, { readOnly: true });
      const candidate = candidateStore.pin();
      try {
        return await compareStores(baseline, candidate, createPositionWriter());
      } finally {
        baseline.release();
        candidate.release();
        await candidateStore.close();
      }
    },
  };
};

/** Overwrites the position at offset 0, so that the file stays small. Padding covers a longer position before. */
const createPositionWriter = (): ((table: string, key: Key) => void) => {
  const file = openSync(positionFile, "w");
  let maxLength = 0;
  return (table, key) => {
    const text = JSON.stringify([table, key]);
    maxLength = Math.max(maxLength, text.length);
    writeSync(file, text.padEnd(maxLength), 0);
  };
};

const handle = async (
  generation: ReturnType<typeof openBaseline>,
  request: WorkerRequest,
): Promise<WorkerReply> => {
  if (request.ask === "compare") return { comparison: await generation.compare(request.built) };
  return { baseline: generation.describe(request.ask === "pin") };
};

const fail = (error: unknown): void =>
  reply({ failed: messageOf(error), isOfTheMachine: isEnvironmentError(error) });

// The parent process ends this process. Both get the signal of an interrupt at a terminal.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
process.once("disconnect", () => process.exit(0));
try {
  const generation = openBaseline();
  process.on("message", (request: WorkerRequest) => {
    handle(generation, request).then(reply, fail);
  });
  reply({ ready: true });
} catch (error) {
  fail(error);
}
