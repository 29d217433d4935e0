import type Koa from "koa";
import { sendCaughtError, sendError } from "../error-response.ts";
import { parseDeadLetterParams, parseSequence, parseSubject } from "./params.ts";
import type { ConsoleQueries } from "./types.ts";

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
