import { SingleBar } from "cli-progress";
import type { LogBounds } from "../../event-log/event-log.ts";
import { formatDuration, formatSize, isInteractive } from "./output.ts";

interface ProgressBar {
  /** Shows how much is done, in the unit of the total. @param more a note, and the total when it has changed */
  update(done: number, more?: { readonly total?: number; readonly note?: string }): void;
  end(): void;
}

const noBar: ProgressBar = { update: () => undefined, end: () => undefined };

/** Shows a bar with rate and time left on standard error, if that is a terminal. */
export const progressBar = (
  doing: string,
  total: number,
  unit: string,
  isWanted: boolean,
): ProgressBar => {
  if (!isWanted || !isInteractive(process.stderr) || total === 0) return noBar;
  const bar = new SingleBar({
    stream: process.stderr,
    format: `${doing} {bar} {percentage}% | {value}/{total} ${unit} | {rate}/s | {eta_formatted} left{note}`,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 50,
  });
  const startedAt = performance.now();
  bar.start(total, 0, { rate: 0, note: "" });
  return {
    update(done, { total: newTotal, note } = {}) {
      if (newTotal !== undefined) bar.setTotal(newTotal);
      const seconds = Math.max((performance.now() - startedAt) / 1000, 0.001);
      const rate = Math.round(done / seconds).toLocaleString("en");
      bar.update(done, { rate, note: note ? ` | ${note}` : "" });
    },
    end: () => bar.stop(),
  };
};

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
