import { VitrineError } from "../../errors.ts";
import type { EventLog, NewMessage } from "../../event-log/log.ts";
import { checkLines, readEventFile } from "../../events/file.ts";
import type { Input } from "./inputs.ts";

/** What appending a file came to. */
export interface AppendedFile {
  readonly accepted: number;
  /** Events the log already held. */
  readonly duplicates: number;
  /** The log's newest sequence among them; 0 when there was none. */
  readonly lastSequence: number;
}

/** As much is sent to the log in one go. */
const chunk = { events: 1_000, bytes: 4 * 1024 * 1024 };

/**
 * Appends the good lines of a file that was checked before.
 * @param skipInvalid pass over bad lines; otherwise there were none, and one now means that the file changed.
 * @param onAppended told how many events of the file the log holds so far
 */
export const appendFile = async (
  input: Input,
  eventLog: EventLog,
  { now, skipInvalid }: { readonly now: number; readonly skipInvalid: boolean },
  onAppended: (count: number) => void,
): Promise<AppendedFile> => {
  const sum = { accepted: 0, duplicates: 0, lastSequence: 0 };
  let waiting: NewMessage[] = [];
  let bytes = 0;
  const send = async (): Promise<void> => {
    for (const { sequence, duplicate } of await eventLog.append(waiting)) {
      if (duplicate) sum.duplicates += 1;
      else sum.accepted += 1;
      sum.lastSequence = Math.max(sum.lastSequence, sequence);
    }
    waiting = [];
    bytes = 0;
    onAppended(sum.accepted + sum.duplicates);
  };
  for await (const line of checkLines(readEventFile(input.path), now)) {
    if (line.ok) {
      waiting.push(line.message);
      bytes += line.message.body.length;
      if (waiting.length >= chunk.events || bytes >= chunk.bytes) await send();
    } else if (!skipInvalid) {
      throw new VitrineError(
        "invalid_events",
        `${input.name} changed while it was published: line ${line.line} is bad now`,
        "publish it again; what the log already holds is not doubled",
      );
    }
  }
  if (waiting.length > 0) await send();
  return sum;
};
