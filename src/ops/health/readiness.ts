import type { Sighting } from "./projector-monitor.ts";

export interface Facts {
  /** A generation is live. */
  readonly modelLoaded: boolean;
  /** HTTP processes; undefined where there is no HTTP service. */
  readonly http?: {
    readonly listening: number;
    /** Those that listen and have a model to answer from. */
    readonly answering: number;
  };
  readonly projector: Sighting;
  /** Names of damaged generations that were set aside. */
  readonly quarantined: readonly string[];
  /** Seconds. */
  readonly maxLag: number;
}

/** Longest time without a word from the projector, in seconds, that is still no reason to turn away. */
const longestSilence = 10;

/** Why traffic should go elsewhere: one plain sentence each, none when the service is ready. */
export const reasonsAgainst = (facts: Facts): readonly string[] => {
  const { modelLoaded, http, projector, maxLag } = facts;
  const { state, reason, silence, lagSeconds } = projector;
  const reasons: string[] = [];
  if (!modelLoaded) reasons.push(notLoaded(projector) + setAside(facts));
  else if (http) reasons.push(...notAnswering(http));
  if (state === "faulted") reasons.push(`the projector applies nothing more: ${reason}`);
  if (silence > longestSilence) {
    const why = reason ? `: ${reason}` : "";
    reasons.push(`the projector has not reported for ${Math.round(silence)} seconds${why}`);
  }
  if (lagSeconds >= maxLag) {
    const why = (state === "waiting" || state === "stalled") && reason ? `: ${reason}` : "";
    reasons.push(
      `the model may be ${Math.round(lagSeconds)} seconds behind the event log, ${maxLag} are allowed (--max-lag)${why}`,
    );
  }
  return reasons;
};

const notAnswering = ({ listening, answering }: NonNullable<Facts["http"]>): readonly string[] => {
  if (answering === 0) return ["no HTTP process answers from the read model yet"];
  if (answering === listening) return [];
  return [`${listening - answering} of ${listening} HTTP processes have no read model yet`];
};

const setAside = ({ quarantined }: Facts): string => {
  const newest = quarantined.at(-1);
  return newest === undefined
    ? ""
    : `; generation ${newest} was damaged and is in quarantine, the log tells why`;
};

const notLoaded = ({ status, state, reason }: Sighting): string => {
  const none = "no read model is loaded yet";
  if (state === "silent" || state === "waiting") return reason ? `${none}: ${reason}` : none;
  if (state === "live" && status?.logLast === 0) {
    return `${none}: the event log is empty; have the shop publish its events, or try vitrine publish`;
  }
  if (state !== "replaying" && state !== "stalled") return none;
  return `${none}: the first replay is at event ${status?.checkpoint} of ${status?.logLast}`;
};
