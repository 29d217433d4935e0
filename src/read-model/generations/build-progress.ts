import { rmSync } from "node:fs";
import { join } from "node:path";
import { isDiskFull } from "../../errors.ts";
import { hasMembers, readJson, writeFileAtomic } from "../../platform/json-file.ts";
import {
  currentProcess,
  hasExited,
  isProcessIdentity,
  type ProcessIdentity,
} from "../../platform/process-identity.ts";

/** Progress of a command that builds a candidate generation. */
export interface BuildProgress {
  /** The command, e.g. `rebuild`. */
  readonly doing: string;
  readonly pid: number;
  /** ISO 8601 */
  readonly started: string;
  readonly phase: BuildPhase;
  readonly at: number;
  /** Log sequence at which the build ends. */
  readonly of: number;
  readonly eventsPerSecond: number;
  /** Estimated time until `of` is reached; null while there is no rate. */
  readonly etaSeconds: number | null;
  readonly bytes: number;
}

const phases = ["replaying", "comparing", "swapping"] as const;

export type BuildPhase = (typeof phases)[number];

const isPhase = (phase: string): boolean => phases.some((each) => each === phase);

type BuildStep = Pick<BuildProgress, "phase" | "at" | "of" | "bytes">;

export type BuildProgressWriter = ReturnType<typeof writeBuildProgress>;

const minWriteIntervalMs = 500;

/**
 * Creates the writer of `building.json`, which publishes the progress of a command in the data directory.
 * @param root the data directory; only the holder of its scratch lock may write progress
 * @param command name of the command, e.g. `rebuild`
 * @param now milliseconds since 1970
 */
export const writeBuildProgress = (root: string, command: string, now: () => number) => {
  const path = join(root, fileName);
  const startedAt = now();
  let first: BuildStep | undefined;
  let lastWrite: { readonly at: number; readonly phase: BuildPhase } | undefined;
  return {
    /** Writes a step, at most twice per second and at each change of phase. */
    update(step: BuildStep): void {
      first ??= step;
      if (lastWrite?.phase === step.phase && now() - lastWrite.at < minWriteIntervalMs) return;
      lastWrite = { at: now(), phase: step.phase };
      const started = new Date(startedAt).toISOString();
      const rate = computeRate(step, step.at - first.at, (now() - startedAt) / 1000);
      const by = currentProcess();
      const content: ProgressFile = { doing: command, pid: by.pid, started, ...step, ...rate, by };
      try {
        writeFileAtomic(path, JSON.stringify(content));
      } catch (error) {
        // A full disk does not fail the build: readers see the previous step.
        if (!isDiskFull(error)) throw error;
      }
    },
    end(): void {
      rmSync(path, { force: true });
    },
  };
};

const computeRate = (
  { at, of }: BuildStep,
  done: number,
  seconds: number,
): Pick<BuildProgress, "eventsPerSecond" | "etaSeconds"> => {
  const perSecond = seconds > 0 ? done / seconds : 0;
  const etaSeconds = perSecond > 0 ? Math.ceil(Math.max(0, of - at) / perSecond) : null;
  return { eventsPerSecond: Math.round(perSecond), etaSeconds };
};

/**
 * Reads the progress of the command that builds in a data directory.
 * @returns undefined when no command builds, or its process has ended
 */
export const readBuildProgress = (root: string): BuildProgress | undefined => {
  const content = readJson(join(root, fileName), isProgressFile);
  if (!content || hasExited(content.by)) return undefined;
  const { by, ...progress } = content;
  return progress;
};

/** Content of `building.json`. It identifies the process by more than its pid, because the system reuses pids. */
interface ProgressFile extends BuildProgress {
  readonly by: ProcessIdentity;
}

const isProgressFile = (value: unknown): value is ProgressFile =>
  hasMembers(value, {
    by: "object",
    doing: "string",
    pid: "number",
    started: "string",
    phase: "string",
    at: "number",
    of: "number",
    eventsPerSecond: "number",
    bytes: "number",
  }) &&
  isProcessIdentity(value.by) &&
  isPhase(value.phase) &&
  "etaSeconds" in value &&
  (value.etaSeconds === null || typeof value.etaSeconds === "number");

const fileName = "building.json";
