import type { ChildProcess } from "node:child_process";
import { VitrineError } from "../../errors.ts";
import type { AskConsole, ConsoleQuery } from "../../ops/console/types.ts";
import { type ExitReason, formatExit, toExitReason } from "../../platform/exit-reason.ts";
import { fromErrorPayload } from "../supervisor/ipc.ts";
import type { WorkerMessage } from "../supervisor/messages.ts";

/** Answers the console's queries, each in a child process. */
export interface QueryRunner {
  /** @throws VitrineError when the query fails, takes too long, or its process ends without an answer */
  readonly ask: AskConsole;
  close(): void;
}

/** Below the 30 s after which an idle connection is cut. */
const timeoutMs = 25_000;
const maxRunning = 2;
const maxPending = 16;

/** Starts the process of a query. */
export type StartQuery = (
  query: ConsoleQuery,
  onMessage: (message: WorkerMessage<"query">) => void,
) => ChildProcess;

interface Task {
  readonly query: ConsoleQuery;
  readonly timer: NodeJS.Timeout;
  resolve(json: string | undefined): void;
  reject(error: Error): void;
}

/**
 * Creates a runner of queries. A process of its own for each query keeps a long scan from blocking the ops port, and a damaged
 * file, which kills the process that maps it, from ending the service.
 */
export const createQueryRunner = (start: StartQuery): QueryRunner => {
  const waiting = new Set<Task>();
  const running = new Map<Task, ChildProcess>();
  const runNext = (): void => {
    const [task] = waiting;
    if (!task || running.size === maxRunning) return;
    waiting.delete(task);
    const child = start(task.query, (message) => {
      if (message.kind === "answer") complete(task, () => task.resolve(message.json));
      if (message.kind === "fatal") complete(task, () => task.reject(fromErrorPayload(message)));
    });
    running.set(task, child);
    onEnd(child, (reason) => complete(task, () => task.reject(exitedEarly(reason))));
  };
  const complete = (task: Task, respond: () => void): void => {
    clearTimeout(task.timer);
    respond();
    waiting.delete(task);
    if (running.delete(task)) runNext();
  };
  const cancel = (task: Task, why: VitrineError): void => {
    running.get(task)?.kill("SIGKILL");
    complete(task, () => task.reject(why));
  };
  return {
    ask: (query) =>
      new Promise((resolve, reject) => {
        if (waiting.size + running.size >= maxPending) return reject(overloaded);
        const timer = setTimeout(() => cancel(task, timedOut), timeoutMs);
        const task: Task = { query, timer, resolve, reject };
        waiting.add(task);
        runNext();
      }),
    close() {
      // The waiting ones first, because the end of a running one starts the next.
      for (const task of [...waiting, ...running.keys()]) cancel(task, closed);
    },
  };
};

/** Calls a function when a process has ended and its messages are handled, which may be after its exit. */
const onEnd = (child: ChildProcess, handle: (reason: ExitReason) => void): void => {
  child.once("error", (error) => handle({ kind: "spawn", error }));
  child.once("exit", (code, signal) => {
    const reason = toExitReason(code, signal);
    if (child.connected) child.once("disconnect", () => handle(reason));
    else handle(reason);
  });
};

const overloaded = new VitrineError(
  "unanswered",
  "too many queries wait for an answer",
  "try again in a few seconds",
);

const timedOut = new VitrineError(
  "unanswered",
  `it took longer than ${timeoutMs / 1000} seconds`,
  "the command of the same name has no time limit",
);

const closed = new VitrineError("unanswered", "the service ends");

const exitedEarly = (reason: ExitReason): VitrineError =>
  new VitrineError(
    "unanswered",
    `the process that ran the query ended (${formatExit(reason)})`,
    "vitrine verify shows whether the model is damaged; the service goes on",
  );
