import type Koa from "koa";
import { VitrineError } from "../../errors.ts";
import { sendCaughtError, sendError } from "../error-response.ts";
import type { ConsoleQueries, DeadLetterParams } from "./types.ts";

interface Endpoint {
  readonly path: RegExp;
  /** @param name captured from the path @returns undefined when nothing has that name */
  run(queries: ConsoleQueries, name: string, params: URLSearchParams): Promise<object | undefined>;
}

const endpoints: readonly Endpoint[] = [
  {
    path: /^\/dead-letters$/,
    run: async (queries, _, params) => queries.deadLetters(parseDeadLetterParams(params)),
  },
  {
    path: /^\/dead-letters\/([^/]+)$/,
    run: async (queries, sequence) => queries.deadLetter(parseSequence(sequence)),
  },
  {
    path: /^\/explain\/(.+)$/,
    run: async (queries, subject) => queries.explain(parseSubject(subject)),
  },
  { path: /^\/generations$/, run: (queries) => queries.generations() },
];

/** Example paths of the console's API. The reply to an unknown path lists them. */
export const examplePaths = ["/dead-letters", "/explain/product/4711", "/generations"];

/**
 * Answers a query of the console with JSON.
 * @returns false when the path is not part of the API
 */
export const answerQuery = async (ctx: Koa.Context, queries: ConsoleQueries): Promise<boolean> => {
  for (const { path, run } of endpoints) {
    const match = path.exec(ctx.path);
    if (!match) continue;
    try {
      const result = await run(queries, match[1] ?? "", new URLSearchParams(ctx.querystring));
      if (result) ctx.body = result;
      else sendError(ctx, 404, "there is no dead letter with this sequence");
    } catch (thrown) {
      sendCaughtError(ctx, thrown);
    }
    return true;
  }
  return false;
};

const maxPageSize = 100;

/** Parses `?before=SEQ&limit=N`. @throws VitrineError `usage` */
const parseDeadLetterParams = (query: URLSearchParams): DeadLetterParams => {
  const before = query.get("before");
  const limit = parsePositiveInteger("limit", query.get("limit") ?? "20");
  if (limit > maxPageSize) throw invalidParam("limit", `an integer from 1 to ${maxPageSize}`);
  return { before: before === null ? undefined : parsePositiveInteger("before", before), limit };
};

/** Parses the sequence of a path. @throws VitrineError `usage` */
const parseSequence = (text: string): number => parsePositiveInteger("the sequence", text);

/** Parses the `ENTITY/ID`, `settings` or `robots` of a path. @throws VitrineError `usage` */
const parseSubject = (path: string): string => {
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
