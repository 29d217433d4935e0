import type { ProjectorState, ProjectorStatus } from "../../projector/status.ts";

/** A projector as seen by the process that answers for it, which may be another one. */
export interface Sighting {
  /** What it said last; undefined before its first word. */
  readonly status: ProjectorStatus | undefined;
  /** `silent` when it has not spoken for a while: it died, hangs, or is being started. */
  readonly state: ProjectorState | "silent";
  /** Why it does not apply events, and what to do about it; null while it does. */
  readonly reason: string | null;
  /** ISO 8601: since when it is in this state; null before its first word. */
  readonly since: string | null;
  /** Seconds since its last word. */
  readonly silence: number;
  /** Age of the oldest event that may not be applied yet: it grows while nobody can tell. */
  readonly lagSeconds: number;
  /** Whether it saw where the log ends, or events come from it, since this watch began. */
  readonly sawLog: boolean;
}

export interface Watch {
  /** It spoke. */
  told(status: ProjectorStatus): void;
  /** It ended; the reason is shown until it speaks again. */
  lost(reason: string): void;
  see(): Sighting;
}

/** A generation, and when the log took the last event in it: milliseconds since 1970. */
interface Stand {
  readonly generation: number;
  readonly time: number;
}

const standOf = ({ generation, checkpointTime }: ProjectorStatus): Stand | undefined =>
  generation === null || checkpointTime === null
    ? undefined
    : { generation: Number(generation), time: Date.parse(checkpointTime) };

/**
 * Tells which former generation answers in the place of one that was damaged. Nothing after its last event is known to be
 * in it until it is at the end of the log, however much the one before it was known to have.
 */
const watchFormer = (): ((status: ProjectorStatus) => Stand | undefined) => {
  let newest: Stand | undefined;
  let former: Stand | undefined;
  return (status) => {
    const told = standOf(status);
    if (!told) return former;
    const isFollowed = ["live", "replaying", "stalled"].includes(status.state);
    if (newest && told.generation < newest.generation && told.time < newest.time) former = told;
    else if (told.generation === former?.generation) former = told;
    else if (isFollowed) former = undefined;
    if (isFollowed) newest = told;
    // As it begins again in a projector that was live it is told as live, and is behind.
    if (status.state === "live" && status.lagEvents === 0) former = undefined;
    return former;
  };
};

/** Three seconds without a word are silence: it speaks four times a second. */
const silentAfter = 3;

/**
 * A lag is believed only from a projector that sees the log move or its end: one that starts again and again,
 * or waits for the log, knows no better than the last that did.
 * @param now a clock in milliseconds that nobody sets
 * @param wall milliseconds since 1970
 */
export const watchProjector = (now: () => number, wall: () => number = Date.now): Watch => {
  let status: ProjectorStatus | undefined;
  let spoke = now();
  let loss: string | null = null;
  let known = { lagSeconds: 0, at: now() };
  let sawLog = false;
  const formerIn = watchFormer();
  let former: Stand | undefined;
  return {
    told(latest) {
      status = latest;
      spoke = now();
      loss = null;
      former = formerIn(latest);
      const isMoving = latest.state === "live" || latest.eventsPerSecond > 0;
      // What a rebuild reads is not yet in the model that answers.
      if (isMoving && latest.state !== "rebuilding") {
        known = { lagSeconds: latest.lagSeconds, at: spoke };
      }
      sawLog ||= isMoving;
    },
    lost(reason) {
      loss = reason;
    },
    see() {
      const silence = (now() - spoke) / 1000;
      const isSilent = loss !== null || silence > silentAfter;
      const isSure = !isSilent && known.at === spoke && status !== undefined;
      const sinceKnown = known.lagSeconds + (now() - known.at) / 1000;
      const age = former === undefined ? 0 : (wall() - former.time) / 1000;
      const told = Math.max(status?.lagSeconds ?? 0, age);
      return {
        status,
        since: isSilent
          ? new Date(wall() - 1_000 * silence).toISOString()
          : (status?.since ?? null),
        silence,
        state: isSilent ? "silent" : (status?.state ?? "starting"),
        reason: loss ?? status?.reason ?? null,
        lagSeconds: isSure ? told : Math.max(told, sinceKnown),
        sawLog,
      };
    },
  };
};

/**
 * Seconds that an answer may be behind the shop: the lag, and where nobody has seen the log since the service was started
 * the age of the last event that is in the model, as nothing newer is known. Undefined before the projector's first word.
 * @param now the wall clock, in milliseconds since 1970
 */
export const ageOf = (
  { status, sawLog, lagSeconds }: Sighting,
  now: number,
): number | undefined => {
  if (!status) return undefined;
  if (!sawLog && isBeforeModel(status)) return undefined;
  if (sawLog || status.checkpointTime === null) return lagSeconds;
  return Math.max(lagSeconds, (now - Date.parse(status.checkpointTime)) / 1_000);
};

/**
 * Seconds that what stands still for good may be behind the shop: all since its last event, which no lag tells of.
 * @param until ISO 8601: when the log took that event
 */
export const ageOfStill = (until: string, now: number): number =>
  Math.max(0, (now - Date.parse(until)) / 1_000);

/** It speaks before it has looked at the model that is there, which may be damaged: what it says is not of that. */
const isBeforeModel = ({ state, generation }: ProjectorStatus): boolean =>
  state === "starting" && generation === null;
