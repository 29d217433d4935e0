import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hasMembers } from "./json-file.ts";

/** Identifies a process among all processes that share a disk with it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Host and PID namespace. */
  readonly scope: string;
  /**
   * Start time since boot, which differs from that of a later process with the same pid. Absent where the system does
   * not report it.
   */
  readonly started?: string;
}

/** Checks an identity that was read from a file. A pid below 1 stands for a group of processes. */
export const isProcessIdentity = (value: unknown): value is ProcessIdentity =>
  hasMembers(value, { pid: "number", scope: "string" }) &&
  Number.isSafeInteger(value.pid) &&
  value.pid > 0 &&
  (!("started" in value) || typeof value.started === "string");

export const currentProcess = (): ProcessIdentity => {
  const started = readStartTime(process.pid);
  return { pid: process.pid, scope: currentHost(), ...(started !== undefined && { started }) };
};

/** Returns true for a process of this host that is gone. A process of another host is never known to be dead. */
export const hasExited = ({ pid, scope, started }: ProcessIdentity): boolean => {
  if (scope !== currentHost()) return false;
  const currentStart = readStartTime(pid);
  return (
    !isPidRunning(pid) ||
    isZombie(pid) ||
    (started !== undefined && currentStart !== undefined && currentStart !== started)
  );
};

/** Returns true when the process that wrote the identity still runs on this host. The wall clock is not used. */
export const isSameProcessAlive = ({ pid, scope, started }: ProcessIdentity): boolean =>
  scope === currentHost() &&
  started !== undefined &&
  readStartTime(pid) === started &&
  !isZombie(pid);

/** In kernel ticks (proc(5), `starttime`). */
const readStartTime = (pid: number): string | undefined => readProcStat(pid)?.[19];

/** Detects an ended process whose parent has not read its exit status: only the pid is left of it. */
const isZombie = (pid: number): boolean => /^[ZXx]$/.test(readProcStat(pid)?.[0] ?? "");

/**
 * Reads the kernel's fields of a process that follow its name.
 * @returns undefined where the kernel has none
 */
const readProcStat = (pid: number): readonly string[] | undefined => {
  try {
    // The name may contain spaces and brackets.
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ");
  } catch {
    return undefined;
  }
};

/** Returns true while any user's process with this pid runs on this host. */
export const isPidRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

const currentHost = (): string => {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
};
