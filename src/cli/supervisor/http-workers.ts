import { fromErrorPayload } from "./ipc.ts";
import type { WorkerMessage } from "./messages.ts";

export type HttpWorkerMonitor = ReturnType<typeof createHttpWorkerMonitor>;

/**
 * @param wanted number of HTTP processes
 * @param now monotonic clock in milliseconds
 */
export const createHttpWorkerMonitor = (wanted: number, now: () => number) => {
  const heartbeat = createHeartbeatMonitor(now);
  const listeners = new Set<string>();
  const answering = new Set<string>();
  let allListen: () => void;
  let cannotListen: (error: Error) => void;
  const listening = new Promise<void>((resolve, reject) => {
    allListen = resolve;
    cannotListen = reject;
  });
  // The promise may reject before a caller awaits it.
  listening.catch(() => undefined);
  return {
    /** Resolves when all HTTP processes listen; rejects when one cannot. */
    listening,
    state(): { readonly listening: number; readonly answering: number } {
      const responsive = [...listeners].filter((name) => !heartbeat.isLate(name));
      return {
        listening: responsive.length,
        answering: responsive.filter((name) => answering.has(name)).length,
      };
    },
    /** Expects messages of a started process from now on. */
    started: heartbeat.started,
    onMessage(name: string, message: WorkerMessage<"http">): void {
      heartbeat.beat(name);
      if (message.kind === "listening") listeners.add(name);
      if (message.kind === "serving") {
        if (message.generation === null) answering.delete(name);
        else answering.add(name);
      }
      if (message.kind === "fatal" && message.code === "listen")
        cannotListen(fromErrorPayload(message));
      if (listeners.size === wanted) allListen();
    },
    onExit(name: string): void {
      heartbeat.forget(name);
      listeners.delete(name);
      answering.delete(name);
    },
    /** Lists the processes that hang, see `createHeartbeatMonitor`. */
    unresponsive: heartbeat.unresponsive,
  };
};

/**
 * Milliseconds without a message, for processes that send one every second. A starting process gets more time, because
 * the machine may be busy.
 */
const silenceMs = { late: 10_000, unresponsive: 20_000, starting: 60_000 };

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
