import { watchSilence } from "./heartbeat.ts";
import { errorOf, type Told } from "./ipc.ts";

/** The HTTP processes of a deployment, as the one that started them hears of them. */
export interface HttpWatch {
  /** Resolves when all of them listen; rejects when one cannot. */
  readonly listening: Promise<void>;
  /** How many listen, and how many of those answer from a model. */
  state(): { readonly listening: number; readonly answering: number };
  /** It was started: from now on it is waited for. */
  begun(name: string): void;
  told(name: string, told: Told): void;
  /** It ended. */
  lost(name: string): void;
  /** Those that will not speak again: see `SilenceWatch`. */
  hanging(): readonly string[];
}

/**
 * @param wanted how many there are
 * @param now a clock in milliseconds that nobody sets
 */
export const watchHttp = (wanted: number, now: () => number): HttpWatch => {
  const silence = watchSilence(now);
  const listeners = new Set<string>();
  const answering = new Set<string>();
  let allListen: () => void;
  let cannotListen: (error: Error) => void;
  const listening = new Promise<void>((resolve, reject) => {
    allListen = resolve;
    cannotListen = reject;
  });
  // It may be known before anybody waits for it.
  listening.catch(() => undefined);
  return {
    listening,
    state() {
      const speaking = [...listeners].filter((name) => !silence.isSilent(name));
      return {
        listening: speaking.length,
        answering: speaking.filter((name) => answering.has(name)).length,
      };
    },
    begun: silence.begun,
    told(name, told) {
      silence.spoke(name);
      if (told.kind === "listening") listeners.add(name);
      if (told.kind === "serving") {
        if (told.generation === null) answering.delete(name);
        else answering.add(name);
      }
      if (told.kind === "refused" && told.code === "listen") cannotListen(errorOf(told));
      if (listeners.size === wanted) allListen();
    },
    lost(name) {
      silence.forget(name);
      listeners.delete(name);
      answering.delete(name);
    },
    hanging: silence.hanging,
  };
};
