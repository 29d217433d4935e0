import { VitrineError } from "../../errors.ts";
import type { DeadLettersAsked } from "./types.ts";

/** What a request to the console asks for, or a `usage` error that says what would be accepted. */

const longestPage = 100;

/** Of `?before=SEQ&limit=N`. @throws VitrineError `usage` */
export const readDeadLettersAsked = (query: URLSearchParams): DeadLettersAsked => {
  const before = query.get("before");
  const limit = wholeNumber("limit", query.get("limit") ?? "20");
  if (limit > longestPage) throw wrong("limit", `a whole number from 1 to ${longestPage}`);
  return { before: before === null ? undefined : wholeNumber("before", before), limit };
};

/** Of a path's sequence. @throws VitrineError `usage` */
export const readSequence = (text: string): number => wholeNumber("the sequence", text);

/** Of a path's `ENTITY/ID`, or `settings`, `robots`. @throws VitrineError `usage` */
export const readSubject = (path: string): string => {
  const subject = decoded(path);
  if (subject !== undefined && subject.length <= 512 && /^[a-z]+(\/[^\p{C}]+)?$/u.test(subject)) {
    return subject;
  }
  throw wrong("the entity", "what an event's subject says, such as product/4711 or settings");
};

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const wholeNumber = (name: string, text: string): number => {
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value > 0) return value;
  throw wrong(name, "a positive whole number");
};

const wrong = (name: string, accepted: string): VitrineError =>
  new VitrineError("usage", `${name} cannot be used: give ${accepted}`);
