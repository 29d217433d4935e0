import type Koa from "koa";
import { VitrineError } from "../../errors.ts";
import { sendCaughtError, sendError } from "../reply.ts";

/** A query of the console, in addition to the status. It is read-only and may take a while. */
export type ConsoleQuery =
  /** Lists open dead letters, newest first, from those before a sequence. */
  | { readonly name: "deadLetters"; readonly before: number | undefined; readonly limit: number }
  /** Reads one dead letter with its original event. */
  | { readonly name: "deadLetter"; readonly sequence: number }
  /** Explains which events wrote an entity, by its subject: `product/4711`. */
  | { readonly name: "explain"; readonly subject: string }
  /** Lists the generations, newest first. */
  | { readonly name: "generations" };

/**
 * Answers a query with JSON.
 * @returns undefined when the sequence is no dead letter
 * @throws VitrineError (as a rejection) when the query cannot be answered now
 */
export type AskConsole = (query: ConsoleQuery) => Promise<string | undefined>;

/** Builds the query of a path from what its pattern captured. @throws VitrineError `usage` */
type ParseQuery = (captured: string, params: URLSearchParams) => ConsoleQuery;

const endpoints: readonly (readonly [RegExp, ParseQuery])[] = [
  [/^\/dead-letters$/, (_, params) => parsePage(params)],
  [/^\/dead-letters\/([^/]+)$/, (text) => ({ name: "deadLetter", sequence: parseSequence(text) })],
  [/^\/explain\/(.+)$/, (path) => ({ name: "explain", subject: parseSubject(path) })],
  [/^\/generations$/, () => ({ name: "generations" })],
];

/** Example paths of the console's API. The reply to an unknown path lists them. */
export const examplePaths = ["/dead-letters", "/explain/product/4711", "/generations"];

/**
 * Answers a query of the console with JSON.
 * @returns false when the path is not part of the API
 */
export const answerQuery = async (ctx: Koa.Context, ask: AskConsole): Promise<boolean> => {
  for (const [pattern, parse] of endpoints) {
    const match = pattern.exec(ctx.path);
    if (!match) continue;
    try {
      const json = await ask(parse(match[1] ?? "", new URLSearchParams(ctx.querystring)));
      if (json === undefined) sendError(ctx, 404, "there is no dead letter with this sequence");
      else {
        ctx.type = "json";
        ctx.body = json;
      }
    } catch (thrown) {
      sendCaughtError(ctx, thrown);
    }
    return true;
  }
  return false;
};

const maxPageSize = 100;

/** Parses `?before=SEQ&limit=N`. */
const parsePage = (params: URLSearchParams): ConsoleQuery => {
  const text = params.get("before");
  const limit = parsePositiveInteger("limit", params.get("limit") ?? "20");
  if (limit > maxPageSize) throw invalidParam("limit", `an integer from 1 to ${maxPageSize}`);
  const before = text === null ? undefined : parsePositiveInteger("before", text);
  return { name: "deadLetters", before, limit };
};

const parseSequence = (text: string): number => parsePositiveInteger("the sequence", text);

/** Parses the `ENTITY/ID`, `settings` or `robots` of a path. */
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
