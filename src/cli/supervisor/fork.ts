import { type ChildProcess, fork as forkProcess } from "node:child_process";
import cluster from "node:cluster";
import { buildId, ownProgram } from "../../package-info.ts";
import type {
  ErrorPayload,
  Role,
  StartMessage,
  SupervisorMessage,
  WorkerMessage,
} from "./messages.ts";

/** Modules that run in each role. A process loads only the code of its role, so that it starts faster. */
const programs: { readonly [R in Role]: string } = {
  http: "cli/supervisor/roles/http-process",
  projector: "cli/supervisor/roles/projector-process",
  query: "cli/query-worker/query-process",
};

/** Handles a message of a child process and may send a reply. */
export type OnMessage<R extends Role> = (
  message: WorkerMessage<R>,
  reply: (message: SupervisorMessage<R>) => void,
) => void;

/**
 * Starts a process in a role. HTTP processes share one port through the cluster module, or the socket that systemd passed.
 * Messages are not checked, because both sides run the same build: a process of another one is killed.
 * @param program path of the module that runs; tests name others
 */
export const startProcess = <R extends Role>(
  role: R,
  startMessage: StartMessage<R>,
  onMessage: OnMessage<R>,
  program = ownProgram(programs[role]),
): ChildProcess => {
  const child = fork(program, role, startMessage);
  // Send errors are ignored: the exit event reports a process that has ended.
  const send = (message: StartMessage<R> | SupervisorMessage<R>): void =>
    void child.send(message, () => undefined);
  child.on("message", (message: WorkerMessage<R>) => {
    if (message.kind !== "hello") return onMessage(message, send);
    if (message.build === buildId) return send(startMessage);
    onMessage({ kind: "fatal", ...replacedProgram(program) }, send);
    child.kill("SIGKILL");
  });
  return child;
};

const replacedProgram = (program: string): ErrorPayload => ({
  code: "unanswered",
  message: `${program} was replaced by another build while the service runs`,
  hint: "restart the service",
});

const fork = (program: string, role: Role, startMessage: StartMessage): ChildProcess => {
  // The supervisor reads the projector's stderr, see `captureStderrTail`.
  if (role !== "http") return forkChild(program, role, role === "projector" ? "pipe" : "inherit");
  const socket = "socket" in startMessage ? startMessage.socket : undefined;
  return socket === undefined ? forkWorker(program) : forkChild(program, role, "inherit", socket);
};

// Counts may be NaN, which JSON cannot represent.
const serialization = "advanced";

/** @param socket file descriptor that the child process inherits, as `workerDescriptor` */
const forkChild = (
  program: string,
  role: Role,
  stderr: "pipe" | "inherit",
  socket?: number,
): ChildProcess =>
  forkProcess(program, {
    env: buildWorkerEnvironment(process.env, role),
    serialization,
    stdio: ["inherit", "inherit", stderr, "ipc", ...(socket === undefined ? [] : [socket])],
  });

/**
 * Builds an environment that keeps processes from growing with the catalogue they search or replay. Variables of the
 * operator take precedence.
 */
export const buildWorkerEnvironment = (
  inherited: NodeJS.ProcessEnv,
  role: Role,
): NodeJS.ProcessEnv => ({
  // glibc: returns freed blocks of 64 KB and more to the system. Without the setting the threshold starts at 128 KB and rises, up
  // to 32 MB, with each such block that is freed, so that search buffers would never be returned.
  MALLOC_MMAP_THRESHOLD_: "65536",
  // glibc: uses one arena for all threads, so that memory freed by one thread, such as the garbage collector's, is
  // reused by another.
  MALLOC_ARENA_MAX: "1",
  ...inherited,
  // V8: half of the young generation, in megabytes. The default is 16 on Node 20 and 64 on Node 24, which only a busy process fills.
  // Of an answer that reads all products, 32 save a fifth of the processor time of 8. V8 rounds up to a power of two.
  NODE_OPTIONS:
    `--max-semi-space-size=${role === "http" ? 32 : 8} ${inherited.NODE_OPTIONS ?? ""}`.trim(),
});

const forkWorker = (program: string): ChildProcess => {
  // Each worker accepts connections from the kernel. By default this process hands them over, and a connection whose
  // worker dies on the way hangs until its client gives up.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: program, args: [], serialization });
  const worker = cluster.fork(buildWorkerEnvironment(process.env, "http"));
  // The child process reports a failed start itself. Without this listener, the `error` event would end the supervisor.
  worker.on("error", () => undefined);
  return worker.process;
};
