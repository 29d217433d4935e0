import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, as those know it that share a disk with it. */
export interface ProcessNote {
  readonly pid: number;
  /** Where that pid means something: host and PID namespace. */
  readonly place: string;
  /** When it began, since the machine was started: another that comes to have its pid began later. Not known everywhere. */
  readonly started?: string;
}

export const thisProcess = (): ProcessNote => {
  const started = startOf(process.pid);
  return { pid: process.pid, place: thisPlace(), ...(started !== undefined && { started }) };
};

/** True for a process of this machine that is gone. Of one elsewhere nothing is known. */
export const hasEnded = ({ pid, place, started }: ProcessNote): boolean => {
  if (place !== thisPlace()) return false;
  const now = startOf(pid);
  return !isRunning(pid) || (started !== undefined && now !== undefined && now !== started);
};

/** True for the very process of this machine that wrote the note: no clock is asked. */
export const isAlive = ({ pid, place, started }: ProcessNote): boolean =>
  place === thisPlace() && started !== undefined && startOf(pid) === started;

/** In ticks of the kernel (proc(5), `starttime`). */
const startOf = (pid: number): string | undefined => {
  try {
    // A name may hold spaces and brackets.
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ")[19];
  } catch {
    return undefined;
  }
};

/** True while a process of this id runs on this machine, whoever's it is. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

const thisPlace = (): string => {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
};
