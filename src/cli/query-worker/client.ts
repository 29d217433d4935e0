import type { ChildProcess } from "node:child_process";
import { VitrineError } from "../../errors.ts";
import type { AskConsole } from "../../ops/console/api.ts";
import { type ExitReason, formatExit, toExitReason } from "../../platform/exit-reason.ts";
import type { OnMessage } from "../supervisor/fork.ts";
import { fromErrorPayload } from "../supervisor/ipc.ts";
import type { SupervisorMessage } from "../supervisor/messages.ts";

/** Answers the console's queries through a child process. */
interface QueryClient {
  /** @throws VitrineError when the query fails, takes too long, or the process ends during it */
  readonly ask: AskConsole;
  close(): void;
}

/** Below the 30 s after which an idle connection is cut. */
const timeoutMs = 25_000;
const idleTimeoutMs = 60_000;
const maxPending = 16;

type StartQueryWorker = (onMessage: OnMessage<"query">) => ChildProcess;

/**
 * Answers the console's queries through two workers. Explanations have their own, because they read the event log, may take
 * long and must not delay the other queries.
 */
export const createQueryClients = (start: StartQueryWorker): QueryClient => {
  const model = createQueryClient(start);
  const history = createQueryClient(start);
  return {
    ask: (query) => (query.name === "explain" ? history : model).ask(query),
    close() {
      model.close();
      history.close();
    },
  };
};

interface PendingQuery {
  readonly message: SupervisorMessage<"query">;
  readonly timer: NodeJS.Timeout;
  resolve(json: string | undefined): void;
  reject(error: Error): void;
}

/**
 * Creates a client that starts its worker at the first query and ends it when idle.
 * A long scan therefore never blocks the ops port, and a damaged file, which kills the process that maps it, kills only
 * the worker.
 */
const createQueryClient = (start: StartQueryWorker): QueryClient => {
  const pending = new Map<number, PendingQuery>();
  let child: ChildProcess | undefined;
  /** Sends a query; undefined until the worker listens. */
  let send: ((message: SupervisorMessage<"query">) => void) | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const complete = (id: number, answer: string | undefined | VitrineError): void => {
    const query = pending.get(id);
    if (!query) return;
    pending.delete(id);
    clearTimeout(query.timer);
    if (answer instanceof VitrineError) query.reject(answer);
    else query.resolve(answer);
    if (pending.size === 0) idle = setTimeout(() => end(closed), idleTimeoutMs).unref();
  };
  const end = (why: VitrineError): void => {
    child?.kill("SIGKILL");
    child = undefined;
    send = undefined;
    for (const id of [...pending.keys()]) complete(id, why);
    clearTimeout(idle);
  };
  const onMessage: OnMessage<"query"> = (message, reply) => {
    if (message.kind === "listening") {
      send = reply;
      for (const query of pending.values()) reply(query.message);
    }
    if (message.kind === "fatal") end(fromErrorPayload(message));
    if (message.kind === "answer") complete(message.id, message.json);
    if (message.kind === "queryError") complete(message.id, fromErrorPayload(message));
  };
  const startWorker = (): ChildProcess => {
    const started = start((...args) => {
      if (child === started) onMessage(...args);
    });
    const onExit = (reason: ExitReason): void => {
      if (child === started) end(workerExited(reason));
    };
    started.once("exit", (code, signal) => onExit(toExitReason(code, signal)));
    started.once("error", (error) => onExit({ kind: "spawn", error }));
    return started;
  };
  return {
    ask: (query) =>
      new Promise((resolve, reject) => {
        if (pending.size >= maxPending) throw overloaded;
        clearTimeout(idle);
        child ??= startWorker();
        lastId += 1;
        const message = { kind: "query", id: lastId, query } as const;
        const timer = setTimeout(() => end(timedOut), timeoutMs);
        pending.set(lastId, { message, timer, resolve, reject });
        send?.(message);
      }),
    close: () => end(closed),
  };
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

const workerExited = (reason: ExitReason): VitrineError =>
  new VitrineError(
    "unanswered",
    `the process that ran the query ended (${formatExit(reason)})`,
    "vitrine verify shows whether the model is damaged; the service goes on",
  );
