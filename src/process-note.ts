import { readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, as those know it that share a disk with it. */
export interface ProcessNote {
  readonly pid: number;
  /** Where that pid means something: host and PID namespace. */
  readonly place: string;
}

export const thisProcess = (): ProcessNote => ({ pid: process.pid, place: thisPlace() });

/** True for a process of this machine that is gone. Of one elsewhere nothing is known. */
export const hasEnded = ({ pid, place }: ProcessNote): boolean =>
  place === thisPlace() && !isRunning(pid);

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
