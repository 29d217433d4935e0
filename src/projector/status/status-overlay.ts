import type { ProjectorState, ProjectorStatus } from "./status.ts";

/** Work that the disk prevents, and that is tried again: the commit of a batch, or the promotion of a generation. */
export type BlockedWork = "write" | "promotion";

/** State and reason as the status shows them. `since` is in milliseconds since 1970. */
export type ShownState = Pick<ProjectorStatus, "state" | "reason"> & { readonly since: number };

/**
 * Combines the state of the projector with the failures of the batch writer, the promotion and the log.
 * @param now wall clock, in milliseconds since 1970
 */
export const createStatusOverlay = (now: () => number) => {
  let current: ShownState = { state: "starting", reason: null, since: now() };
  let fault: Pick<ShownState, "reason" | "since"> | null = null;
  let blocked: { readonly work: BlockedWork; readonly shown: ShownState } | null = null;
  let outage: ShownState | null = null;

  const isFollowing = (): boolean => current.state === "live" || current.state === "replaying";
  /** A fault that a retry does not end keeps its start. */
  const startOfFault = (reason: string | null): number =>
    fault?.reason === reason ? fault.since : now();
  const set = (next: ProjectorState, reason: string | null): void => {
    const isUnchanged = next === (outage ? "waiting" : current.state);
    const start = next === "faulted" ? startOfFault(reason) : now();
    current = { state: next, reason, since: isUnchanged ? current.since : start };
    outage = null;
    if (next === "faulted") fault = { reason, since: current.since };
    else if (next === "live") fault = null;
  };
  return {
    set,
    /** Shows `faulted` in any state, until `unblock`. */
    block(work: BlockedWork, reason: string): void {
      fault = { reason, since: startOfFault(reason) };
      blocked = { work, shown: { state: "faulted", reason, since: fault.since } };
    },
    /** Shows the state again. @returns false when the work was not blocked */
    unblock(work: BlockedWork): boolean {
      if (blocked?.work !== work) return false;
      blocked = null;
      // Events have arrived meanwhile, so a follower is behind the log.
      if (isFollowing()) current = { ...current, state: "replaying", reason: null };
      current = { ...current, since: now() };
      return true;
    },
    /** Shows `waiting` until the next state. @returns false in a state that does not depend on the log */
    logFailed(reason: string): boolean {
      if (current.state === "waiting") current = { ...current, reason };
      else if (isFollowing()) outage = { state: "waiting", reason, since: outage?.since ?? now() };
      return current.state === "waiting" || outage !== null;
    },
    /** Returns true when the log failed while it was followed, and no state was set since. */
    hasOutage: () => outage !== null,
    /** Returns true while the log is followed, and answers. */
    isReading: () => isFollowing() && outage === null,
    fault: (): string | null => fault?.reason ?? null,
    clearFault(): void {
      fault = null;
    },
    shown: (): ShownState => blocked?.shown ?? outage ?? current,
  };
};
