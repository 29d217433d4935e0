import type { ProjectorContext } from "../context.ts";
import { hasPendingRequest } from "./request.ts";

export type Interrupt = ReturnType<typeof createInterrupt>;

/** Ends the activity of the projector for a control request, a stop, a bug or its first promotion. */
export const createInterrupt = ({
  directory,
  signal,
  pollIntervalMs,
}: Pick<ProjectorContext, "directory" | "signal" | "pollIntervalMs">) => {
  let current = new AbortController();
  const abort = (): void => current.abort();
  const polling = setInterval(() => {
    if (hasPendingRequest(directory.path)) abort();
  }, pollIntervalMs);
  signal.addEventListener("abort", abort);
  return {
    /** Returns the signal of the next activity, which is aborted when a request is pending already. */
    arm(): AbortSignal {
      if (current.signal.aborted) current = new AbortController();
      if (signal.aborted || hasPendingRequest(directory.path)) abort();
      return current.signal;
    },
    abort,
    /** Stops polling the directory of the requests. */
    stop(): void {
      clearInterval(polling);
      signal.removeEventListener("abort", abort);
    },
  };
};
