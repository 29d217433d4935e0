import type { LogBounds, LogRecord } from "../../event-log/event-log.ts";
import { decode } from "../../events/decode.ts";
import type { ShopEvent } from "../../events/event.ts";
import { isFromProducer } from "../../events/message-content.ts";
import { formatEventTime } from "../../events/time.ts";
import { readContinuous } from "../../projector/continuity/read-continuous.ts";
import { flag, integerFrom, optional } from "../command-spec.ts";
import { defineCommand } from "../define-command.ts";
import { withEventLog } from "../event-log.ts";
import { logSettings } from "../shared-options.ts";
import { colours, print, printJson } from "../terminal/output.ts";
import { runUntilShutdown } from "../terminal/signals.ts";
import { formatEventLine } from "../terminal/table.ts";

export const tailCommand = defineCommand({
  settings: logSettings,
  options: {
    from: optional("<sequence>", "begin with this event", integerFrom(1)),
    last: optional("<n>", "begin with the newest n events", integerFrom(0), ["from"]),
    json: flag("print JSON, one object a line"),
  },
  examples: ["vitrine tail --last 10"],
  run: ({ config, options: { from, last, json } }) =>
    runUntilShutdown((signal) =>
      withEventLog(config, async (eventLog) => {
        const after = sequenceBefore(from, last, await eventLog.bounds());
        const show = json ? showJson : showLine;
        const chunks = readContinuous(eventLog, { after, follow: true, signal });
        for await (const chunk of chunks) chunk.filter(isFromProducer).forEach(show);
        return 0;
      }),
    ),
});

/**
 * Computes the sequence to read after. It skips trimmed events, and begins at the end of the log instead of a future
 * event.
 */
const sequenceBefore = (from: number | undefined, last = 0, bounds: LogBounds): number => {
  const wanted = from !== undefined ? from - 1 : bounds.last - last;
  return Math.min(Math.max(wanted, bounds.first - 1), bounds.last);
};

const showJson = (record: LogRecord): void => {
  const decoded = decode(record);
  const { sequence, subject } = record;
  const result = decoded.ok
    ? { ok: true, event: withTimeText(decoded.event) }
    : { ok: false, rejection: decoded.rejection };
  printJson({ sequence, logTime: formatTime(record), subject, ...result });
};

/** Formats an event for `--json`: one member holds the time with all its digits. */
const withTimeText = ({ subMillis, ...event }: ShopEvent) => ({
  ...event,
  time: formatEventTime(subMillis === undefined ? event : { ...event, subMillis }),
});

const showLine = (record: LogRecord): void => {
  const decoded = decode(record);
  const columns = decoded.ok ? eventColumns(decoded.event) : rejectionColumns(record, decoded);
  print(formatEventLine(record.sequence, colours.dim(formatTime(record)), ...columns));
};

const eventColumns = ({ type, subject, data }: ShopEvent): readonly string[] => [
  type,
  colours.bold(subject),
  colours.dim(shorten(JSON.stringify(data))),
];

const rejectionColumns = (
  { subject }: LogRecord,
  { rejection: { field, reason } }: Extract<ReturnType<typeof decode>, { readonly ok: false }>,
): readonly string[] => [colours.red("rejected"), `${subject}  ${field ?? "event"}: ${reason}`];

const formatTime = ({ time }: LogRecord): string => new Date(time).toISOString();

const shorten = (json: string): string => {
  const safe = json.replace(/\p{C}/gu, "");
  return safe.length > 120 ? `${safe.slice(0, 119)}…` : safe;
};
