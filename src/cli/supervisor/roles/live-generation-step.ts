/** Milliseconds. An unreadable generation is probed again after this time, unless it is replaced. */
const retryMs = 5_000;

export interface UnreadableGeneration {
  readonly generation: string;
  /** Start of the probe or time of the failure, on a monotonic clock, in milliseconds. */
  readonly at: number;
}

/** Next step of a follower of the live link. `probe`: the generation is opened only after a probe. */
export type Step =
  | { readonly kind: "keep" }
  | { readonly kind: "close" }
  | { readonly kind: "open" | "probe"; readonly generation: string };

/**
 * Decides the next step. Pure.
 * @param current generation that answers; undefined when none does
 * @param live generation that the link names; undefined when no generation is live
 * @param now monotonic clock, in milliseconds
 */
export const chooseStep = (
  current: string | undefined,
  unreadable: UnreadableGeneration | undefined,
  live: string | undefined,
  now: number,
): Step => {
  if (live === current) return { kind: "keep" };
  if (live === undefined) return { kind: "close" };
  if (live === unreadable?.generation) {
    const isDue = now > unreadable.at + retryMs;
    return isDue ? { kind: "probe", generation: live } : { kind: "keep" };
  }
  // The predecessor of a damaged generation may be damaged too, so it is probed first.
  const isSuspect = unreadable !== undefined && current === undefined;
  return { kind: isSuspect ? "probe" : "open", generation: live };
};
