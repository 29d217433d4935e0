import type { ChildProcess } from "node:child_process";
import { VitrineError } from "../../errors.ts";
import { type ExitReason, formatExit, toExitReason } from "../../platform/exit-reason.ts";
import { fromErrorPayload } from "../supervisor/ipc.ts";
import type { WorkerMessage } from "../supervisor/messages.ts";
import { createPendingRequests, overloaded } from "./pending-requests.ts";
import type { Queries, QueryName, QueryRequest } from "./protocol.ts";

/** Queries the data directory through a child process. */
export interface QueryClient {
  /** @throws VitrineError when the query fails, takes too long, or the process ends during it */
  ask<K extends QueryName>(query: K, args: Queries[K]["args"]): Promise<Queries[K]["result"]>;
  close(): void;
}

/** Below the 30 s after which an idle connection is cut. */
const timeoutMs = 25_000;
const idleTimeoutMs = 60_000;

const maxPending = 16;

/** Starts the query worker. Queries are sent once the worker reports `listening`. */
export type StartQueryWorker = (
  onMessage: (message: WorkerMessage<"query">) => void,
) => ChildProcess;

/**
 * Creates a client that starts its worker at the first query and ends it when idle.
 * A long scan therefore never blocks the ops port, and a damaged file, which kills the process that maps it, kills only
 * the worker.
 */
export const createQueryClient = (start: StartQueryWorker): QueryClient => {
  let current: { readonly child: ChildProcess; isReady: boolean } | undefined;
  let idle: NodeJS.Timeout | undefined;
  const end = (why: VitrineError): void => {
    clearTimeout(idle);
    const ended = current;
    current = undefined;
    ended?.child.kill("SIGKILL");
    pending.rejectAll(why);
  };
  const pending = createPendingRequests(timeoutMs, () => end(timedOut));
  /** Completes a query, then ends the worker if no other query follows for a while. */
  const scheduleIdleExit = (complete: () => void): void => {
    complete();
    clearTimeout(idle);
    if (pending.size() === 0) idle = setTimeout(() => end(closed), idleTimeoutMs).unref();
  };
  const onMessage = (message: WorkerMessage<"query">): void => {
    if (message.kind === "listening" && current) {
      current.isReady = true;
      for (const request of pending.all()) send(current.child, request);
    }
    if (message.kind === "fatal") end(fromErrorPayload(message));
    if (message.kind === "result") scheduleIdleExit(() => pending.resolve(message));
    if (message.kind === "queryError")
      scheduleIdleExit(() => pending.reject(message.id, fromErrorPayload(message)));
  };
  const startWorker = (): NonNullable<typeof current> => {
    const child = start((message) => {
      if (current?.child === child) onMessage(message);
    });
    const onExit = (reason: ExitReason): void => {
      if (current?.child === child) end(workerExited(reason));
    };
    child.once("exit", (code, signal) => onExit(toExitReason(code, signal)));
    child.once("error", (error) => onExit({ kind: "spawn", error }));
    return { child, isReady: false };
  };
  return {
    ask(query, args) {
      if (pending.size() >= maxPending) return Promise.reject(overloaded());
      clearTimeout(idle);
      current ??= startWorker();
      const { request, result } = pending.add(query, args);
      if (current.isReady) send(current.child, request);
      return result;
    },
    close: () => end(closed),
  };
};

/** Send errors are ignored: the exit event reports a worker that has ended. */
const send = (child: ChildProcess, request: QueryRequest): void =>
  void child.send(request, () => undefined);

const timedOut = new VitrineError(
  "unanswered",
  `it took longer than ${timeoutMs / 1000} seconds`,
  "the command of the same name has no time limit",
);

const closed = new VitrineError("unanswered", "the service ends");

const workerExited = (reason: ExitReason): VitrineError =>
  new VitrineError(
    "unanswered",
    `the process that ran the query ended (${formatExit(reason)})`,
    "vitrine verify shows whether the model is damaged; the service goes on",
  );
