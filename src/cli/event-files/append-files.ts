import { VitrineError } from "../../errors.ts";
import type { EventLog } from "../../event-log/event-log.ts";
import { readEventFile, type ValidatedLine, validateNdjson } from "../../events/ndjson.ts";
import { isSameMessage } from "../../events/same-event.ts";
import { progressBar } from "../terminal/progress-bar.ts";
import { type BadLine, type CheckFileResult, maxKeptLines } from "./check-files.ts";
import { describeRecord, identityReused } from "./identity-check.ts";
import type { InputFile } from "./input-files.ts";

export interface AppendFileResult {
  readonly accepted: number;
  /** Events that the log already held. */
  readonly duplicates: number;
  /** Highest log sequence of the events; 0 when there were none. */
  readonly lastSequence: number;
  /** Lines whose id the log holds for another event; the first thousand. */
  readonly refused: readonly BadLine[];
  readonly refusedCount: number;
}

export const emptyAppendResult: AppendFileResult = {
  accepted: 0,
  duplicates: 0,
  lastSequence: 0,
  refused: [],
  refusedCount: 0,
};

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

/** Limits of one append to the log. */
const maxAppend = { events: 1_000, bytes: 4 * 1024 * 1024 };

/**
 * Appends the good lines of a checked file.
 * A broker reports only at the append that it holds an event of the same source and id. If that is a different event,
 * the line is rejected and the other lines are appended.
 * @param skipInvalid skips bad lines. Without it the check found none, and a bad line means that the file changed
 * @param onAppended receives how many events of the file the log holds so far
 */
const appendFile = async (
  { input, unfit }: Pick<CheckFileResult, "input" | "unfit">,
  eventLog: EventLog,
  { now, skipInvalid }: { readonly now: number; readonly skipInvalid: boolean },
  onAppended: (count: number) => void,
): Promise<AppendFileResult> => {
  const sum = { accepted: 0, duplicates: 0, lastSequence: 0, refusedCount: 0 };
  const refused: BadLine[] = [];
  let pending: GoodLine[] = [];
  let bytes = 0;
  const send = async (): Promise<void> => {
    for (const { line, sequence, counter } of await appendLines(eventLog, pending)) {
      if (counter === "refusedCount") refused.push(toBadLine(input, line, sequence));
      sum[counter] += 1;
      sum.lastSequence = Math.max(sum.lastSequence, sequence);
    }
    refused.splice(maxKeptLines);
    pending = [];
    bytes = 0;
    onAppended(sum.accepted + sum.duplicates + sum.refusedCount);
  };
  for await (const line of validateNdjson(readEventFile(input.path), now)) {
    if (line.ok) {
      if (unfit.has(line.line)) continue;
      pending.push(line);
      bytes += line.message.body.length;
      if (pending.length >= maxAppend.events || bytes >= maxAppend.bytes) await send();
    } else if (!skipInvalid) {
      throw new VitrineError(
        "invalid_events",
        `${input.name} changed while it was published: line ${line.line} is bad now`,
        "publish it again; the log stores no event twice",
      );
    }
  }
  if (pending.length > 0) await send();
  return { ...sum, refused };
};

type GoodLine = Extract<ValidatedLine, { ok: true }>;

/**
 * Appends lines, and compares each duplicate with the record in the log.
 * @returns for each line the sequence of the record that the log holds under its source and id, and the counter that it adds to
 */
const appendLines = async (eventLog: EventLog, lines: readonly GoodLine[]) => {
  const appended = await eventLog.append(lines.map(({ message }) => message));
  return Promise.all(
    lines.map(async (line, at) => {
      const { sequence, duplicate } = appended[at] ?? { sequence: 0, duplicate: true };
      // Undefined when the record was deleted or trimmed; the line then counts as a duplicate.
      const stored = duplicate ? await eventLog.get(sequence) : undefined;
      const isOther = stored !== undefined && !isSameMessage(stored, line.message);
      const counter = isOther ? "refusedCount" : duplicate ? "duplicates" : "accepted";
      return { line, sequence, counter } as const;
    }),
  );
};

const toBadLine = (
  { name }: InputFile,
  { line, message }: GoodLine,
  sequence: number,
): BadLine => ({
  ...{ file: name, line },
  ...identityReused(message, describeRecord({ sequence })),
});
