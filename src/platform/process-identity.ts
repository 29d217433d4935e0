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
  const started = readStartTime(process.pid);
  return { pid: process.pid, place: currentHost(), ...(started !== undefined && { started }) };
};

/** True for a process of this machine that is gone. Of one elsewhere nothing is known. */
export const hasEnded = ({ pid, place, started }: ProcessNote): boolean => {
  if (place !== currentHost()) return false;
  const currentStart = readStartTime(pid);
  return (
    !isRunning(pid) ||
    isZombie(pid) ||
    (started !== undefined && currentStart !== undefined && currentStart !== started)
  );
};

/** True for the very process of this machine that wrote the note: no clock is asked. */
export const isAlive = ({ pid, place, started }: ProcessNote): boolean =>
  place === currentHost() &&
  started !== undefined &&
  readStartTime(pid) === started &&
  !isZombie(pid);

/** In ticks of the kernel (proc(5), `starttime`). */
const readStartTime = (pid: number): string | undefined => readProcStat(pid)?.[19];

/** It has ended, and nobody has asked how: it keeps its pid till then, and nothing else. */
const isZombie = (pid: number): boolean => /^[ZXx]$/.test(readProcStat(pid)?.[0] ?? "");

/** What the kernel tells of a process behind its name; undefined where it tells nothing. */
const readProcStat = (pid: number): readonly string[] | undefined => {
  try {
    // A name may hold spaces and brackets.
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ");
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

const currentHost = (): string => {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
};
