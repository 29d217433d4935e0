import type { LogRecord } from "../../event-log/log.ts";
import type { CheckedLine } from "../../events/file.ts";
import { shown } from "../../events/rejection.ts";
import { canonicalText, isSameMessage } from "../../events/same-event.ts";
import { openSeenEvents } from "./seen-events.ts";

type GoodLine = Extract<CheckedLine, { ok: true }>;

/** Finds the lines of some files that use the identity of another event. */
export interface IdentityCheck {
  /** Begins with the next file. */
  begin(file: string): void;
  /** @returns what is wrong with a line of the file, undefined when nothing is */
  faultOf(line: GoodLine): Promise<string | undefined>;
}

/** @param find looks a message up in the log, where that can be done before it is appended */
export const openIdentityCheck = (
  find: (message: GoodLine["message"]) => Promise<LogRecord | undefined> = async () => undefined,
): IdentityCheck => {
  const seen = openSeenEvents();
  const files: { readonly file: string; readonly start: number }[] = [];
  let [start, last] = [0, 0];
  const placeName = (place: number): string => {
    const holder = files.findLast((each) => each.start < place);
    const line = `line ${place - (holder?.start ?? 0)}`;
    return holder?.start === start ? line : `${line} of ${holder?.file}`;
  };
  return {
    begin(file) {
      start = last;
      files.push({ file, start });
    },
    async faultOf(line) {
      const { message } = line;
      last = start + line.line;
      const held = await find(message);
      if (held && !isSameMessage(held, message)) return usedBy(message, heldAt(held));
      const other = seen.take(message.id, canonicalText(message), last);
      return other === undefined ? undefined : usedBy(message, placeName(other));
    },
  };
};

export const heldAt = ({ sequence }: Pick<LogRecord, "sequence">): string =>
  `event ${sequence} of the log`;

/** @param user where the other event is */
export const usedBy = ({ event: { id, source } }: GoodLine["message"], user: string): string =>
  `id ${shown(id)} of source ${shown(source)} was used by ${user} for another event: give each event an id of its own`;
