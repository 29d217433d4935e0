import { type ChildProcess, fork } from "node:child_process";
import cluster from "node:cluster";
import type { Answered, Begin, Role, Told } from "./ipc.ts";

/** Names the role of a started process in its environment; it counts only with an IPC channel to its parent. */
export const roleVariable = "VITRINE_ROLE";

/** Takes what a process tells, and may answer it. */
export type Hear = (told: Told, answer: (answered: Answered) => void) => void;

/**
 * Starts this program again in another role. HTTP processes share one port, which the cluster module holds.
 * @param program the file to run: the one that is running
 */
export const startProcess = <R extends Role>(
  program: string,
  role: R,
  begin: Begin<R>,
  hear: Hear,
): ChildProcess => {
  const child = role === "http" ? forkWorker(program) : forkAlone(program, role);
  // A process that ended before it could be told is noticed by its end.
  const say = (message: Begin<R> | Answered): void => void child.send(message, () => undefined);
  child.on("message", (message) => {
    const told = message as Told;
    if (told.kind === "hello") say(begin);
    else hear(told, say);
  });
  return child;
};

// Counts may be NaN, which JSON does not know.
const serialization = "advanced";

const forkAlone = (program: string, role: Role): ChildProcess =>
  fork(program, [role], {
    env: { ...process.env, [roleVariable]: role },
    serialization,
    // A projector's last words are listened for, see `lastWordsOf`.
    stdio: ["inherit", "inherit", role === "projector" ? "pipe" : "inherit", "ipc"],
  });

/**
 * The environment in which the memory of HTTP processes does not grow with the catalogue they search; what the operator
 * sets comes first.
 */
export const environmentOfWorkers = (own: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  // For glibc: blocks of 64 KB and more go back to the system when they are freed. It begins with 128, and raises that by
  // itself, up to 32 MB, with each such block that is freed: what searches work with would stay for good.
  MALLOC_MMAP_THRESHOLD_: "65536",
  // One heap for all threads: what one of them frees, such as the collector of garbage, another can use again.
  MALLOC_ARENA_MAX: "1",
  ...own,
  // For V8: half of the room for young objects, in megabytes. Node 20 has 16 and Node 24 has 64, which only a process
  // that works much comes to use.
  NODE_OPTIONS: `--max-semi-space-size=8 ${own.NODE_OPTIONS ?? ""}`.trim(),
});

const forkWorker = (program: string): ChildProcess => {
  // Each worker takes connections from the kernel itself. Handed over by this process, as is the default, a
  // connection whose worker dies on the way would hang until its client gives up.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: program, args: ["http"], serialization });
  const worker = cluster.fork({
    ...environmentOfWorkers(process.env),
    [roleVariable]: "http" satisfies Role,
  });
  // One that cannot be started is heard of by its process; told to nobody here, it would end this one.
  worker.on("error", () => undefined);
  return worker.process;
};

/** The role this process was started in; undefined for a command. */
export const roleOf = (env: NodeJS.ProcessEnv): Role | undefined => {
  const role = env[roleVariable];
  if (process.send === undefined) return undefined;
  return role === "projector" || role === "http" || role === "look" ? role : undefined;
};
