import type { ProjectorHealth } from "./projector-monitor.ts";

export interface ReadinessInput {
  /** Whether a generation is live. */
  readonly modelLoaded: boolean;
  /** HTTP processes; undefined without an HTTP service. */
  readonly http?: {
    readonly listening: number;
    /** Listening processes that have opened a model. */
    readonly answering: number;
  };
  readonly projector: ProjectorHealth;
  /** Names of damaged generations in quarantine. */
  readonly quarantined: readonly string[];
  /** Maximum lag in seconds. */
  readonly maxLag: number;
}

/** Silence of the projector after which the service is not ready. */
const unreadyAfterSeconds = 10;

/** @returns why the service is not ready, one sentence for each reason; empty when it is ready */
export const unreadyReasons = (input: ReadinessInput): readonly string[] => {
  const { modelLoaded, http, projector, maxLag } = input;
  const { state, reason, silence, lagSeconds } = projector;
  const reasons: string[] = [];
  if (!modelLoaded) reasons.push(notLoadedReason(projector) + quarantineNote(input));
  else if (http) reasons.push(...httpReasons(http));
  if (state === "faulted") reasons.push(`the projector applies no more events: ${reason}`);
  if (silence > unreadyAfterSeconds) {
    const why = reason ? `: ${reason}` : "";
    reasons.push(`the projector has not reported for ${Math.round(silence)} seconds${why}`);
  }
  if (lagSeconds >= maxLag) {
    // `isStalled` in projector/status/status-tracker.ts decides about `stalled`: 5 s without an applied event.
    const why = (state === "waiting" || state === "stalled") && reason ? `: ${reason}` : "";
    reasons.push(
      `the model may be ${Math.round(lagSeconds)} seconds behind the event log; the limit is ${maxLag} (--max-lag)${why}`,
    );
  }
  return reasons;
};

const httpReasons = ({
  listening,
  answering,
}: NonNullable<ReadinessInput["http"]>): readonly string[] => {
  if (answering === 0) return ["no HTTP process answers from the read model yet"];
  if (answering === listening) return [];
  return [`${listening - answering} of ${listening} HTTP processes have no read model yet`];
};

const quarantineNote = ({ quarantined }: ReadinessInput): string => {
  const newest = quarantined.at(-1);
  return newest === undefined
    ? ""
    : `; generation ${newest} was damaged and is in quarantine, see the log`;
};

const notLoadedReason = ({ status, state, reason }: ProjectorHealth): string => {
  const none = "no read model is loaded yet";
  if (state === "silent" || state === "waiting") return reason ? `${none}: ${reason}` : none;
  if (state === "live" && status?.logLast === 0) {
    return `${none}: the event log is empty; have the shop publish its events, or try vitrine publish`;
  }
  if (state !== "replaying" && state !== "stalled") return none;
  return `${none}: the first replay is at event ${status?.checkpoint} of ${status?.logLast}`;
};
