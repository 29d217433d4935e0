/**
 * Milliseconds without a message, for processes that send one every second. A starting process gets more time, because
 * the machine may be busy.
 */
const after = { silent: 10_000, hanging: 20_000, beginning: 60_000 };

/** Tracks which processes have stopped sending messages. */
export interface SilenceWatch {
  begun(name: string): void;
  spoke(name: string): void;
  /** Stops tracking a process that ended or never started. */
  forget(name: string): void;
  isSilent(name: string): boolean;
  /** Lists the processes that hang. Call it once per second; each process is listed once, until it sends again. */
  hanging(): readonly string[];
}

/** @param now monotonic clock in milliseconds */
export const watchSilence = (now: () => number): SilenceWatch => {
  const heard = new Map<string, { readonly at: number; readonly patience: number }>();
  /**
   * Processes already listed. They may stay for a while: SIGKILL does not end a process that waits for a hanging disk.
   */
  const given = new Set<string>();
  let asked = now();
  const hear = (name: string, patience: number): void =>
    void heard.set(name, { at: now(), patience });
  return {
    begun: (name) => hear(name, after.beginning),
    spoke(name) {
      hear(name, after.hanging);
      given.delete(name);
    },
    forget(name) {
      heard.delete(name);
      given.delete(name);
    },
    isSilent: (name) => given.has(name) || now() - (heard.get(name)?.at ?? now()) > after.silent,
    hanging() {
      const pause = now() - asked;
      asked = now();
      // If this process was suspended itself (laptop sleep, SIGSTOP), restart all heartbeat timers.
      if (pause > after.silent) for (const [name, { patience }] of heard) hear(name, patience);
      const found = [...heard].flatMap(([name, { at, patience }]) =>
        now() - at > patience ? name : [],
      );
      for (const name of found) {
        heard.delete(name);
        given.add(name);
      }
      return found;
    },
  };
};
