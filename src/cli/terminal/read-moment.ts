import { VitrineError } from "../../errors.ts";

/** Reads an RFC 3339 time, as milliseconds since 1970, from the value of a flag. @throws VitrineError `usage` */
export const readMoment =
  (flag: string) =>
  (text: string): number => {
    const isTime = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text);
    const time = isTime ? Date.parse(text) : Number.NaN;
    if (Number.isFinite(time)) return time;
    throw new VitrineError(
      "usage",
      `${flag} ${text}: give a time with its zone, such as 2026-11-20T10:00:00Z`,
    );
  };
