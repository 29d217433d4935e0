import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isWantOfRoom } from "../../errors.ts";
import { hasEnded, type ProcessNote, thisProcess } from "../../platform/process-identity.ts";

/** How far a command is that builds a generation beside the live one. */
export interface Building {
  /** The command, e.g. `rebuild`. */
  readonly doing: string;
  readonly pid: number;
  /** ISO 8601 */
  readonly started: string;
  readonly phase: BuildingPhase;
  /** Log sequence it has come to, and the one it goes to. */
  readonly at: number;
  readonly of: number;
  readonly eventsPerSecond: number;
  /** Until `of` at this rate; null while it cannot be told. */
  readonly etaSeconds: number | null;
  /** Bytes of events read. */
  readonly bytes: number;
}

export type BuildingPhase = "replaying" | "comparing" | "swapping";

export type BuildingStep = Pick<Building, "phase" | "at" | "of" | "bytes">;

/** Tells those who watch how far a command is. */
export interface Announcing {
  /** Cheap: written twice a second at most, and at each change of phase. */
  tell(step: BuildingStep): void;
  /** The command is over. */
  end(): void;
}

/** Milliseconds. */
const writeEvery = 500;

/**
 * @param root the data directory; only the holder of its scratch lock announces
 * @param now milliseconds since 1970
 */
export const announceBuilding = (root: string, doing: string, now: () => number): Announcing => {
  const path = join(root, name);
  const fresh = join(root, `.${name}.new`);
  const begun = now();
  let first: BuildingStep | undefined;
  let written: { readonly at: number; readonly phase: BuildingPhase } | undefined;
  return {
    tell(step) {
      first ??= step;
      if (written?.phase === step.phase && now() - written.at < writeEvery) return;
      written = { at: now(), phase: step.phase };
      const started = new Date(begun).toISOString();
      const rate = rateOf(step, step.at - first.at, (now() - begun) / 1000);
      const by = thisProcess();
      const told: Written = { doing, pid: by.pid, started, ...step, ...rate, by };
      try {
        writeFileSync(fresh, JSON.stringify(told));
        renameSync(fresh, path);
      } catch (error) {
        // It is not what is built: whoever watches sees the step before.
        if (!isWantOfRoom(error)) throw error;
      }
    },
    end() {
      for (const file of [fresh, path]) rmSync(file, { force: true });
    },
  };
};

const rateOf = (
  { at, of }: BuildingStep,
  done: number,
  seconds: number,
): Pick<Building, "eventsPerSecond" | "etaSeconds"> => {
  const perSecond = seconds > 0 ? done / seconds : 0;
  const etaSeconds = perSecond > 0 ? Math.ceil(Math.max(0, of - at) / perSecond) : null;
  return { eventsPerSecond: Math.round(perSecond), etaSeconds };
};

/** What is being built in a data directory; undefined when nothing is, or whoever did is gone. */
export const readBuilding = (root: string): Building | undefined => {
  try {
    const { by, ...building }: Written = JSON.parse(readFileSync(join(root, name), "utf8"));
    return hasEnded(by) ? undefined : building;
  } catch {
    return undefined;
  }
};

/** What the file holds: another process may have the same pid by now. */
interface Written extends Building {
  readonly by: ProcessNote;
}

const name = "building.json";
