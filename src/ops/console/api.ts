import type Koa from "koa";
import { refuse, refuseThrown } from "../error-response.ts";
import { readDeadLettersAsked, readSequence, readSubject } from "./params.ts";
import type { Questions } from "./types.ts";

interface Endpoint {
  readonly path: RegExp;
  /** @param name captured from the path @returns undefined when nothing has that name */
  run(queries: Questions, name: string, params: URLSearchParams): Promise<object | undefined>;
}

const endpoints: readonly Endpoint[] = [
  {
    path: /^\/dead-letters$/,
    run: async (queries, _, params) => queries.deadLetters(readDeadLettersAsked(params)),
  },
  {
    path: /^\/dead-letters\/([^/]+)$/,
    run: async (queries, sequence) => queries.deadLetter(readSequence(sequence)),
  },
  {
    path: /^\/explain\/(.+)$/,
    run: async (queries, subject) => queries.explain(readSubject(subject)),
  },
  { path: /^\/generations$/, run: (queries) => queries.generations() },
];

/** Example paths of the console's API. The reply to an unknown path lists them. */
export const askedPaths = ["/dead-letters", "/explain/product/4711", "/generations"];

/**
 * Answers a query of the console with JSON.
 * @returns false when the path is not part of the API
 */
export const answer = async (ctx: Koa.Context, queries: Questions): Promise<boolean> => {
  for (const { path, run } of endpoints) {
    const match = path.exec(ctx.path);
    if (!match) continue;
    try {
      const result = await run(queries, match[1] ?? "", new URLSearchParams(ctx.querystring));
      if (result) ctx.body = result;
      else refuse(ctx, 404, "no event of this sequence is a dead letter");
    } catch (thrown) {
      refuseThrown(ctx, thrown);
    }
    return true;
  }
  return false;
};
