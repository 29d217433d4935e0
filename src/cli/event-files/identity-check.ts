import type { LogRecord } from "../../event-log/event-log.ts";
import { readLineAt, type ValidatedLine } from "../../events/ndjson.ts";
import { quoteForMessage } from "../../events/rejection.ts";
import { isMessageOf, isSameMessage } from "../../events/same-event.ts";
import type { SchemaViolation } from "../../events/schema-violation.ts";
import type { InputFile } from "./input-files.ts";
import { type EventPosition, openSeenEvents } from "./seen-events.ts";

type GoodLine = Extract<ValidatedLine, { ok: true }>;

/** Finds lines that use the identity of another event. */
export interface IdentityCheck {
  begin(input: InputFile): void;
  /** @returns the fault of a line; undefined when its identity is free */
  findFault(line: GoodLine): Promise<SchemaViolation | undefined>;
}

/** @param find finds a message in the log; absent when that is impossible before an append */
export const openIdentityCheck = (
  find: (message: GoodLine["message"]) => Promise<LogRecord | undefined> = async () => undefined,
): IdentityCheck => {
  const seen = openSeenEvents();
  const files: { readonly input: InputFile; readonly linesBefore: number }[] = [];
  let [linesBefore, lastLine] = [0, 0];
  /** Describes the line at a position. @returns undefined unless it is another event with the message's identity */
  const describeOther = async (position: EventPosition, message: GoodLine["message"]) => {
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
    async findFault({ line, start, message }) {
      lastLine = linesBefore + line;
      const stored = await find(message);
      if (stored && !isSameMessage(stored, message))
        return identityReused(message, describeRecord(stored));
      const earlier = seen.take(message.id, message.body, { line: lastLine, start });
      const other = earlier && (await describeOther(earlier, message));
      return other === undefined ? undefined : identityReused(message, other);
    },
  };
};

export const describeRecord = ({ sequence }: Pick<LogRecord, "sequence">): string =>
  `event ${sequence} of the log`;

/** @param user location of the other event */
export const identityReused = (
  { event: { id, source } }: GoodLine["message"],
  user: string,
): SchemaViolation => ({
  field: "id",
  reason: `id ${quoteForMessage(id)} of source ${quoteForMessage(source)} was used by ${user} for another event: give each event an id of its own`,
});
