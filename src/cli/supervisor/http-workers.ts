import { createHeartbeatMonitor } from "./heartbeat.ts";
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
    /** Lists the processes that hang, see `HeartbeatMonitor`. */
    unresponsive: heartbeat.unresponsive,
  };
};
