import { sleep } from "./async.ts";

/** How a failed attempt is repeated. Times in milliseconds. */
interface RetryPolicy {
  readonly firstDelayMs: number;
  /** The delay doubles up to this limit. */
  readonly maxDelayMs: number;
  /** Returns false for an error that no retry overcomes, which is then thrown. */
  readonly isRetryable: (error: unknown) => boolean;
  /** Receives each error before the wait. */
  readonly onFailure?: (error: unknown, delayMs: number) => void;
  /** Replaces the sleep between two attempts. When it resolves with true, the delays begin again. */
  readonly wait?: (delayMs: number, error: unknown) => Promise<boolean>;
  /** Ends the retries after an attempt. */
  readonly signal?: AbortSignal;
}

/**
 * Repeats an attempt until it succeeds. It makes at least one attempt, also after the signal aborted.
 * @returns undefined when the signal aborted after a failed attempt
 * @throws the error of an attempt that is not retryable
 */
export function retry<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy & { readonly signal: AbortSignal },
): Promise<T | undefined>;
export function retry<T>(
  attempt: () => Promise<T>,
  policy: Omit<RetryPolicy, "signal">,
): Promise<T>;
export async function retry<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
): Promise<T | undefined> {
  const { firstDelayMs, maxDelayMs, isRetryable, onFailure, signal } = policy;
  const wait = policy.wait ?? ((ms: number) => sleep(ms, signal).then(() => false));
  for (let delayMs = firstDelayMs; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      onFailure?.(error, delayMs);
      const isReset = await wait(delayMs, error);
      if (signal?.aborted) return undefined;
      delayMs = isReset ? firstDelayMs : Math.min(delayMs * 2, maxDelayMs);
    }
  }
}
