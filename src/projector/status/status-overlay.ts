import type { ProjectorState, ProjectorStatus } from "./status.ts";

/** Work that the disk prevents, and that is tried again: the commit of a batch, or the promotion of a generation. */
export type BlockedWork = "write" | "promotion";

/** State and reason as the status shows them. `since` is in milliseconds since 1970. */
export type ShownState = Pick<ProjectorStatus, "state" | "reason"> & { readonly since: number };

interface Cause {
  readonly reason: string;
  readonly since: number;
}

/** Combines the state of the projector with the failures of the batch writer, the promotion and the log. */
export interface StatusOverlay {
  set(next: ProjectorState, reason: string | null): void;
  /** Shows `faulted` in any state, until `unblock`. */
  block(work: BlockedWork, reason: string): void;
  /** Shows the state again. @returns false when the work was not blocked */
  unblock(work: BlockedWork): boolean;
  /**
   * Shows `waiting` until `logAnswered`, or the next state.
   * @returns false in a state that does not depend on the log
   */
  logFailed(reason: string): boolean;
  /** @returns true when the log had failed before */
  logAnswered(): boolean;
  /** Returns true while the log is followed, and answers. */
  isReading(): boolean;
  /** Returns the reason of the current fault. @returns null without a fault */
  fault(): string | null;
  clearFault(): void;
  shown(): ShownState;
}

/** @param now wall clock, in milliseconds since 1970 */
export const createStatusOverlay = (now: () => number): StatusOverlay => {
  let current: ShownState = { state: "starting", reason: null, since: now() };
  let fault: { readonly reason: string | null; readonly since: number } | null = null;
  let blocked: (Cause & { readonly work: BlockedWork }) | null = null;
  let outage: Cause | null = null;

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
    block(work, reason) {
      blocked = { work, reason, since: startOfFault(reason) };
      fault = { reason, since: blocked.since };
    },
    unblock(work) {
      if (blocked?.work !== work) return false;
      blocked = null;
      // Events have arrived meanwhile, so a follower is behind the log.
      current = isFollowing()
        ? { state: "replaying", reason: null, since: now() }
        : { ...current, since: now() };
      return true;
    },
    logFailed(reason) {
      const isWaiting = current.state === "waiting";
      if (isWaiting) current = { ...current, reason };
      else if (isFollowing()) outage = { reason, since: outage?.since ?? now() };
      return isWaiting || outage !== null;
    },
    logAnswered() {
      const hadFailed = outage !== null;
      if (hadFailed) set("replaying", null);
      return hadFailed;
    },
    isReading: () => isFollowing() && outage === null,
    fault: () => fault?.reason ?? null,
    clearFault() {
      fault = null;
    },
    shown() {
      if (blocked) return { state: "faulted", reason: blocked.reason, since: blocked.since };
      return outage ? { state: "waiting", ...outage } : current;
    },
  };
};
