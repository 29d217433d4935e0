import { VitrineError } from "../../errors.ts";
import { type EventTime, readTime } from "../../events/time.ts";

/** Reads an RFC 3339 time, with all its digits, from the value of a flag. @throws VitrineError `usage` */
export const readEventTime =
  (flag: string) =>
  (text: string): EventTime => {
    const isTime = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text);
    const time = isTime ? readTime(text) : undefined;
    if (time) return time;
    throw new VitrineError(
      "usage",
      `${flag} ${text}: give a time with its zone, such as 2026-11-20T10:00:00Z`,
    );
  };
