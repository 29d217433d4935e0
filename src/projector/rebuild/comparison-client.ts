import { type ChildProcess, fork } from "node:child_process";
import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf, VitrineError } from "../../errors.ts";
import { ownProgram } from "../../package-info.ts";
import { isCorruptionExit, toExitReason } from "../../platform/exit-reason.ts";
import { readJson } from "../../platform/json-file.ts";
import type { Comparison } from "../../read-model/compare/compare.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";

/** Description of the live generation that a candidate is compared with. */
export interface Baseline {
  readonly checkpoint: Checkpoint | undefined;
  readonly products: number;
}

export type WorkerRequest =
  | { readonly ask: "look" }
  | { readonly ask: "pin" }
  | { readonly ask: "compare"; readonly built: string };

export type WorkerReply =
  | { readonly ready: true }
  | { readonly baseline: Baseline }
  | { readonly comparison: Comparison }
  | { readonly failed: string; readonly isOfTheMachine: boolean };

/** A child process that reads a generation, because a damaged file may crash its reader. */
export interface ComparisonWorker {
  describe(): Promise<Baseline>;
  /** Describes the latest snapshot, and pins it until `compare`. The file of a live generation grows meanwhile. */
  pin(): Promise<Baseline>;
  /** Compares the pinned snapshot with a generation that no process writes to. @param built its path */
  compare(built: string): Promise<Comparison>;
  close(): void;
}

/**
 * Opens a generation in a child process.
 * @param directory an existing directory for the position file of the child process
 * @throws (also from the methods of the result) `model_damaged` with the table and the position; `comparison_unavailable` when
 * the child process ended or failed without a sign of damage; the reason of the signal
 */
export const startComparisonWorker = async (
  generation: string,
  directory: string,
  signal: AbortSignal,
): Promise<ComparisonWorker> => {
  signal.throwIfAborted();
  const position = join(directory, "position");
  const errors = createErrors(basename(generation), position);
  const child = forkWorker([generation, position], errors);
  const { ended, release } = watchEnd(child, signal, errors);
  const receive = (): Promise<WorkerReply> => Promise.race([ended, nextReply(child, errors)]);
  const send = (request: WorkerRequest): Promise<WorkerReply> => {
    const reply = receive();
    // A worker that cannot be reached is killed. Its end rejects the reply, with its own cause if it had already ended.
    child.send(request, (error) => void (error && child.kill("SIGKILL")));
    return reply;
  };
  const close = (): void => {
    release();
    if (child.connected) child.disconnect();
    rmSync(position, { force: true });
  };
  const describe = async (request: WorkerRequest): Promise<Baseline> => {
    const reply = await send(request);
    if ("baseline" in reply) return reply.baseline;
    throw errors.unavailable("it did not report its checkpoint");
  };
  await receive().catch((error) => {
    close();
    throw error;
  });
  return {
    describe: () => describe({ ask: "look" }),
    pin: () => describe({ ask: "pin" }),
    async compare(built) {
      const reply = await send({ ask: "compare", built });
      if ("comparison" in reply) return reply.comparison;
      throw errors.unavailable("it did not report a comparison");
    },
    close,
  };
};

/** Forks the worker. Node throws some fork errors, and reports the others by an event. */
const forkWorker = (args: readonly string[], { unavailable }: WorkerErrors): ChildProcess => {
  try {
    return fork(program, args, {
      serialization: "advanced",
      stdio: ["ignore", "inherit", "pipe", "ipc"],
    });
  } catch (error) {
    throw unavailable(messageOf(error));
  }
};

const program = ownProgram("projector/rebuild/comparison-worker");

interface WorkerErrors {
  damaged(reason: string): VitrineError;
  unavailable(reason: string): VitrineError;
}

const createErrors = (name: string, position: string): WorkerErrors => ({
  damaged: (reason) =>
    new VitrineError(
      "model_damaged",
      `generation ${name} is damaged: ${reason}${formatPosition(position)}`,
      "vitrine rebuild makes a new one from the log",
    ),
  unavailable: (reason) =>
    new VitrineError(
      "comparison_unavailable",
      `generation ${name} could not be compared: ${reason}`,
      "nothing was changed, and the generation may be intact: see what the machine lacks, such as memory, and try again",
    ),
});

/** Creates a promise that rejects when the worker ends or the signal aborts, which kills the worker. */
const watchEnd = (
  child: ChildProcess,
  signal: AbortSignal,
  { damaged, unavailable }: WorkerErrors,
): { readonly ended: Promise<never>; release(): void } => {
  let release = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    const abort = (): void => {
      child.kill("SIGKILL");
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    release = () => signal.removeEventListener("abort", abort);
    let stderr = "";
    child.stderr?.on("data", (text) => {
      stderr += text;
    });
    child.once("close", (code, killedBy) => {
      const toError = isCorruptionExit(toExitReason(code, killedBy, stderr))
        ? damaged
        : unavailable;
      reject(toError(`the process that read it ended with ${killedBy ?? code}`));
    });
    child.on("error", (error) => reject(unavailable(error.message)));
  });
  // The worker may end between two requests. The next request gets the error.
  ended.catch(() => undefined);
  return { ended, release };
};

/** Waits for the next reply of the worker, and rejects when the reply is a failure. */
const nextReply = (
  child: ChildProcess,
  { damaged, unavailable }: WorkerErrors,
): Promise<WorkerReply> =>
  new Promise((resolve, reject) => {
    child.once("message", (message) => {
      const reply = message as WorkerReply;
      if (!("failed" in reply)) return resolve(reply);
      const toError = reply.isOfTheMachine ? unavailable : damaged;
      reject(toError(reply.failed));
    });
  });

const formatPosition = (position: string): string => {
  const row = readJson(position, isArray);
  return row ? `, in the table "${row[0]}" at or after the key ${JSON.stringify(row[1])}` : "";
};

const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);
