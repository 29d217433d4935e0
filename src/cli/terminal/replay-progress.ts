import type { LogBounds } from "../../event-log/event-log.ts";
import { duration, size } from "./output.ts";
import { progressBar } from "./progress-bar.ts";

export interface ReplayProgress {
  /** @param at sequence reached @param of last sequence @param bytes of events read */
  at(at: number, of: number, bytes: number): void;
  end(): void;
  /** Bytes read, and seconds since the start. */
  read(): { readonly bytes: number; readonly seconds: number };
}

/** Shows events, rate, time left and bytes of a replay. */
export const replayProgress = (
  doing: string,
  { first, last }: LogBounds,
  isWanted: boolean,
): ReplayProgress => {
  const bar = progressBar(doing, Math.max(0, last - first + 1), "events", isWanted);
  const startedAt = performance.now();
  let read = 0;
  return {
    at(at, of, bytes) {
      read = bytes;
      bar.at(at - first + 1, { total: of - first + 1, note: size(bytes) });
    },
    end: bar.end,
    read: () => ({ bytes: read, seconds: (performance.now() - startedAt) / 1000 }),
  };
};

/** `34 MB in 12 s` */
export const readIn = ({ bytes, seconds }: ReturnType<ReplayProgress["read"]>): string =>
  `${size(bytes)} in ${duration(seconds)}`;
