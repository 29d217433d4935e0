import { VitrineError } from "../../errors.ts";
import type { DeadLetterParams } from "./types.ts";

const maxPageSize = 100;

/** Parses `?before=SEQ&limit=N`. @throws VitrineError `usage` */
export const parseDeadLetterParams = (query: URLSearchParams): DeadLetterParams => {
  const before = query.get("before");
  const limit = parsePositiveInteger("limit", query.get("limit") ?? "20");
  if (limit > maxPageSize) throw invalidParam("limit", `an integer from 1 to ${maxPageSize}`);
  return { before: before === null ? undefined : parsePositiveInteger("before", before), limit };
};

/** Parses the sequence of a path. @throws VitrineError `usage` */
export const parseSequence = (text: string): number => parsePositiveInteger("the sequence", text);

/** Parses the `ENTITY/ID`, `settings` or `robots` of a path. @throws VitrineError `usage` */
export const parseSubject = (path: string): string => {
  const subject = tryDecode(path);
  if (subject !== undefined && subject.length <= 512 && /^[a-z]+(\/[^\p{C}]+)?$/u.test(subject)) {
    return subject;
  }
  throw invalidParam("the entity", "the subject of an event, such as product/4711 or settings");
};

const tryDecode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const parsePositiveInteger = (name: string, text: string): number => {
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value > 0) return value;
  throw invalidParam(name, "a positive integer");
};

const invalidParam = (name: string, accepted: string): VitrineError =>
  new VitrineError("usage", `${name} is invalid: use ${accepted}`);
