import type { LogBounds } from "../../event-log/event-log.ts";
import { formatDuration, formatSize } from "./output.ts";
import { progressBar } from "./progress-bar.ts";

export type ReplayProgress = ReturnType<typeof replayProgress>;

export const replayProgress = (doing: string, { first, last }: LogBounds, isWanted: boolean) => {
  const bar = progressBar(doing, Math.max(0, last - first + 1), "events", isWanted);
  const startedAt = performance.now();
  let read = 0;
  return {
    /** @param at sequence reached @param of last sequence @param bytes of events read */
    update(at: number, of: number, bytes: number): void {
      read = bytes;
      bar.update(at - first + 1, { total: of - first + 1, note: formatSize(bytes) });
    },
    end: bar.end,
    /** Bytes read, and seconds since the start. */
    read: (): { readonly bytes: number; readonly seconds: number } => ({
      bytes: read,
      seconds: (performance.now() - startedAt) / 1000,
    }),
  };
};

/** `34 MB in 12 s` */
export const formatThroughput = ({ bytes, seconds }: ReturnType<ReplayProgress["read"]>): string =>
  `${formatSize(bytes)} in ${formatDuration(seconds)}`;
