import type { ProjectorState, ProjectorStatus } from "../../projector/status/status.ts";

/** Health of the projector as the supervising process sees it. */
export interface ProjectorHealth {
  /** Latest status report; undefined before the first. */
  readonly status: ProjectorStatus | undefined;
  /** State of the projector; `silent` when its reports stopped: it exited, hangs, or is starting. */
  readonly state: ProjectorState | "silent";
  /** Why the projector applies no events, and what the operator can do; null while it applies events. */
  readonly reason: string | null;
  /** Start of the state, ISO 8601; null before the first report. */
  readonly since: string | null;
  /** Seconds since the latest report. */
  readonly silence: number;
  /** Age in seconds of the oldest event that may not be applied. It grows while the projector cannot determine it. */
  readonly lagSeconds: number;
  /** Whether the projector reached the log's end or received events since monitoring began. */
  readonly sawLog: boolean;
}

export interface ProjectorMonitor {
  onStatus(status: ProjectorStatus): void;
  /** Records that the projector exited. The reason is shown until the next report. */
  onExit(reason: string): void;
  current(): ProjectorHealth;
}

/** A generation with the log time of its latest event. */
interface GenerationTime {
  readonly generation: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

const toGenerationTime = ({
  generation,
  checkpointTime,
}: ProjectorStatus): GenerationTime | undefined =>
  generation === null || checkpointTime === null
    ? undefined
    : { generation: Number(generation), time: Date.parse(checkpointTime) };

/**
 * Tracks an older generation that serves reads in place of a damaged one.
 * Until it has reached the end of the log, its data is as old as its own latest event, although the damaged generation
 * was newer.
 */
const trackFallbackGeneration = (): ((status: ProjectorStatus) => GenerationTime | undefined) => {
  let latest: GenerationTime | undefined;
  let fallback: GenerationTime | undefined;
  return (status) => {
    const current = toGenerationTime(status);
    if (!current) return fallback;
    const isFollowed = ["live", "replaying", "stalled"].includes(status.state);
    const isOlder = latest && current.generation < latest.generation && current.time < latest.time;
    if (isOlder || current.generation === fallback?.generation) fallback = current;
    else if (isFollowed) fallback = undefined;
    if (isFollowed) latest = current;
    // A projector that was live reports `live` on the fallback, too, so that only a lag of 0 ends the fallback.
    if (status.state === "live" && status.lagEvents === 0) fallback = undefined;
    return fallback;
  };
};

/** Silence after which the state is `silent`: the projector reports four times a second. */
const silentAfterSeconds = 3;

/**
 * Creates the monitor of a projector's health.
 * It trusts a reported lag only while the projector applies events or is at the log's end. A projector that restarts
 * repeatedly or waits for the log cannot determine its lag, so that the last trusted lag grows with time.
 * @param now monotonic clock in milliseconds
 * @param wall wall clock, milliseconds since 1970
 */
export const createProjectorMonitor = (
  now: () => number,
  wall: () => number = Date.now,
): ProjectorMonitor => {
  let status: ProjectorStatus | undefined;
  let reportedAt = now();
  let exitReason: string | null = null;
  let trustedLag = { seconds: 0, at: now() };
  let sawLog = false;
  const fallbackIn = trackFallbackGeneration();
  let fallback: GenerationTime | undefined;
  return {
    onStatus(latest) {
      status = latest;
      reportedAt = now();
      exitReason = null;
      fallback = fallbackIn(latest);
      const isMoving = latest.state === "live" || latest.eventsPerSecond > 0;
      // Events that a rebuild reads are not yet in the live generation.
      if (isMoving && latest.state !== "rebuilding") {
        trustedLag = { seconds: latest.lagSeconds, at: reportedAt };
      }
      sawLog ||= isMoving;
    },
    onExit(reason) {
      exitReason = reason;
    },
    current() {
      const silence = (now() - reportedAt) / 1000;
      const isSilent = exitReason !== null || silence > silentAfterSeconds;
      const isLagTrusted = !isSilent && trustedLag.at === reportedAt && status !== undefined;
      const extrapolatedLag = trustedLag.seconds + (now() - trustedLag.at) / 1000;
      const fallbackAge = fallback === undefined ? 0 : (wall() - fallback.time) / 1000;
      const reportedLag = Math.max(status?.lagSeconds ?? 0, fallbackAge);
      return {
        status,
        since: isSilent
          ? new Date(wall() - 1_000 * silence).toISOString()
          : (status?.since ?? null),
        silence,
        state: isSilent ? "silent" : (status?.state ?? "starting"),
        reason: exitReason ?? status?.reason ?? null,
        lagSeconds: isLagTrusted ? reportedLag : Math.max(reportedLag, extrapolatedLag),
        sawLog,
      };
    },
  };
};

/**
 * Computes the maximum age of a reply's data in seconds.
 * This is the lag or, if the projector has not seen the log since the service started, the age of the model's latest
 * event.
 * @param now wall clock, milliseconds since 1970
 * @returns undefined before the first report about the live generation
 */
export const dataAge = (
  { status, sawLog, lagSeconds }: ProjectorHealth,
  now: number,
): number | undefined => {
  if (!status) return undefined;
  if (!sawLog && isBeforeModelCheck(status)) return undefined;
  if (sawLog || status.checkpointTime === null) return lagSeconds;
  return Math.max(lagSeconds, (now - Date.parse(status.checkpointTime)) / 1_000);
};

/**
 * Computes the age in seconds of a frozen directory's data: the time since its latest event, because no lag includes it.
 * @param until log time of that event, ISO 8601
 * @param now wall clock, milliseconds since 1970
 */
export const frozenDataAge = (until: string, now: number): number =>
  Math.max(0, (now - Date.parse(until)) / 1_000);

/** Checks whether a report precedes the check of the live generation, which may be damaged. */
const isBeforeModelCheck = ({ state, generation }: ProjectorStatus): boolean =>
  state === "starting" && generation === null;
