import { createHeartbeatMonitor } from "./heartbeat.ts";
import { fromErrorPayload } from "./ipc.ts";
import type { WorkerMessage } from "./messages.ts";

export interface HttpWorkerMonitor {
  /** Resolves when all HTTP processes listen; rejects when one cannot. */
  readonly listening: Promise<void>;
  state(): { readonly listening: number; readonly answering: number };
  /** Expects messages of a started process from now on. */
  started(name: string): void;
  onMessage(name: string, message: WorkerMessage<"http">): void;
  onExit(name: string): void;
  /** Lists the processes that hang, see `HeartbeatMonitor`. */
  unresponsive(): readonly string[];
}

/**
 * @param wanted number of HTTP processes
 * @param now monotonic clock in milliseconds
 */
export const createHttpWorkerMonitor = (wanted: number, now: () => number): HttpWorkerMonitor => {
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
    listening,
    state() {
      const responsive = [...listeners].filter((name) => !heartbeat.isLate(name));
      return {
        listening: responsive.length,
        answering: responsive.filter((name) => answering.has(name)).length,
      };
    },
    started: heartbeat.started,
    onMessage(name, message) {
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
    onExit(name) {
      heartbeat.forget(name);
      listeners.delete(name);
      answering.delete(name);
    },
    unresponsive: heartbeat.unresponsive,
  };
};
