import type { LogRecord } from "../../event-log/event-log.ts";
import { type CheckedLine, readLineAt } from "../../events/ndjson.ts";
import { shown } from "../../events/rejection.ts";
import { isMessageOf, isSameMessage } from "../../events/same-event.ts";
import type { Fault } from "../../events/schema-violation.ts";
import type { Input } from "./input-files.ts";
import { openSeenEvents, type Place } from "./seen-events.ts";

type GoodLine = Extract<CheckedLine, { ok: true }>;

/** Finds lines that use the identity of another event. */
export interface IdentityCheck {
  /** Starts the next file. */
  begin(input: Input): void;
  /** @returns the fault of a line; undefined when its identity is free */
  faultOf(line: GoodLine): Promise<Fault | undefined>;
}

/** @param find finds a message in the log; absent when that is impossible before an append */
export const openIdentityCheck = (
  find: (message: GoodLine["message"]) => Promise<LogRecord | undefined> = async () => undefined,
): IdentityCheck => {
  const seen = openSeenEvents();
  const files: { readonly input: Input; readonly linesBefore: number }[] = [];
  let [linesBefore, lastLine] = [0, 0];
  /** Describes the line at a position. @returns undefined unless it is another event with the message's identity */
  const describeOther = async (position: Place, message: GoodLine["message"]) => {
    const holder = files.findLast((file) => file.linesBefore < position.line);
    if (!holder) return undefined;
    const other = { ...message, body: await readLineAt(holder.input.path, position.start) };
    if (isSameMessage(other, message) || !isMessageOf(other, message.event)) return undefined;
    const line = `line ${position.line - holder.linesBefore}`;
    return holder === files.at(-1) ? line : `${line} of ${holder.input.name}`;
  };
  return {
    begin(input) {
      linesBefore = lastLine;
      files.push({ input, linesBefore });
    },
    async faultOf({ line, start, message }) {
      lastLine = linesBefore + line;
      const stored = await find(message);
      if (stored && !isSameMessage(stored, message)) return usedBy(message, heldAt(stored));
      const earlier = seen.take(message.id, message.body, { line: lastLine, start });
      const other = earlier && (await describeOther(earlier, message));
      return other === undefined ? undefined : usedBy(message, other);
    },
  };
};

export const heldAt = ({ sequence }: Pick<LogRecord, "sequence">): string =>
  `event ${sequence} of the log`;

/** @param user location of the other event */
export const usedBy = ({ event: { id, source } }: GoodLine["message"], user: string): Fault => ({
  field: "id",
  reason: `id ${shown(id)} of source ${shown(source)} was used by ${user} for another event: give each event an id of its own`,
});
