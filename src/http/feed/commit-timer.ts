/** Milliseconds between two checks for a newer commit. */
export const commitIntervalMs = 20;

/** Checks of a process for newer commits, by one timer, which runs only while something waits. */
export interface CommitTimer {
  /** Calls a function every 20 ms. It must not throw. */
  start(check: () => void): void;
  stop(check: () => void): void;
}

export const createCommitTimer = (): CommitTimer => {
  const checks = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  const checkAll = (): void => {
    for (const check of checks) check();
  };
  return {
    start(check) {
      checks.add(check);
      timer ??= setInterval(checkAll, commitIntervalMs);
    },
    stop(check) {
      checks.delete(check);
      if (checks.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
};
