import type { EventLog } from "../../event-log/event-log.ts";
import { progressBar } from "../terminal/progress-bar.ts";
import { type AppendFileResult, appendFile } from "./append-file.ts";
import type { CheckFileResult } from "./check-files.ts";

export const emptyAppendResult: AppendFileResult = {
  accepted: 0,
  duplicates: 0,
  lastSequence: 0,
  refused: [],
  refusedCount: 0,
};

/** Appends checked files one after another, with a bar on a terminal. */
export const appendFiles = async (
  eventLog: EventLog,
  files: readonly CheckFileResult[],
  options: { readonly now: number; readonly skipInvalid: boolean },
  showProgress: boolean,
): Promise<AppendFileResult> => {
  const total = files.reduce((sum, { good }) => sum + good, 0);
  const bar = progressBar("publishing", total, "events", showProgress);
  let sum = emptyAppendResult;
  try {
    for (const file of files) {
      const before = sum.accepted + sum.duplicates + sum.refusedCount;
      const one = await appendFile(file, eventLog, options, (count) => bar.update(before + count));
      sum = {
        accepted: sum.accepted + one.accepted,
        duplicates: sum.duplicates + one.duplicates,
        lastSequence: Math.max(sum.lastSequence, one.lastSequence),
        refused: [...sum.refused, ...one.refused],
        refusedCount: sum.refusedCount + one.refusedCount,
      };
    }
    return sum;
  } finally {
    bar.end();
  }
};
