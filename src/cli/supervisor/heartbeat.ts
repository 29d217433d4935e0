/**
 * Milliseconds without a message, for processes that send one every second. A starting process gets more time, because
 * the machine may be busy.
 */
const silenceMs = { late: 10_000, unresponsive: 20_000, starting: 60_000 };

export type HeartbeatMonitor = ReturnType<typeof createHeartbeatMonitor>;

/** Tracks which processes have stopped sending messages. @param now monotonic clock in milliseconds */
export const createHeartbeatMonitor = (now: () => number) => {
  const beats = new Map<string, { readonly at: number; readonly timeoutMs: number }>();
  /**
   * Processes already listed. They may stay for a while: SIGKILL does not end a process that waits for a hanging disk.
   */
  const reported = new Set<string>();
  let lastCheck = now();
  const recordBeat = (name: string, timeoutMs: number): void =>
    void beats.set(name, { at: now(), timeoutMs });
  return {
    started: (name: string): void => recordBeat(name, silenceMs.starting),
    beat(name: string): void {
      recordBeat(name, silenceMs.unresponsive);
      reported.delete(name);
    },
    /** Stops tracking a process that ended or never started. */
    forget(name: string): void {
      beats.delete(name);
      reported.delete(name);
    },
    isLate: (name: string): boolean =>
      reported.has(name) || now() - (beats.get(name)?.at ?? now()) > silenceMs.late,
    /** Lists the processes that hang. Call it once per second; each process is listed once, until it sends again. */
    unresponsive(): readonly string[] {
      const elapsed = now() - lastCheck;
      lastCheck = now();
      // If this process was suspended itself (laptop sleep, SIGSTOP), restart all heartbeat timers.
      if (elapsed > silenceMs.late)
        for (const [name, { timeoutMs }] of beats) recordBeat(name, timeoutMs);
      const unresponsive = [...beats].flatMap(([name, { at, timeoutMs }]) =>
        now() - at > timeoutMs ? name : [],
      );
      for (const name of unresponsive) {
        beats.delete(name);
        reported.add(name);
      }
      return unresponsive;
    },
  };
};
