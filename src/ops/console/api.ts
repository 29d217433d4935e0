import type Koa from "koa";
import { refuse, refuseThrown } from "../error-response.ts";
import { readDeadLettersAsked, readSequence, readSubject } from "./params.ts";
import type { Questions } from "./types.ts";

interface Answer {
  readonly path: RegExp;
  /** @param named what the path names; undefined when there is none of that name */
  ask(world: Questions, named: string, query: URLSearchParams): Promise<object | undefined>;
}

const answers: readonly Answer[] = [
  {
    path: /^\/dead-letters$/,
    ask: async (world, _, query) => world.deadLetters(readDeadLettersAsked(query)),
  },
  {
    path: /^\/dead-letters\/([^/]+)$/,
    ask: async (world, sequence) => world.deadLetter(readSequence(sequence)),
  },
  {
    path: /^\/explain\/(.+)$/,
    ask: async (world, subject) => world.explain(readSubject(subject)),
  },
  { path: /^\/generations$/, ask: (world) => world.generations() },
];

/** What the console asks, as paths a person may try. */
export const askedPaths = ["/dead-letters", "/explain/product/4711", "/generations"];

/**
 * Answers one of the console's questions with JSON.
 * @returns false when the path is none
 */
export const answer = async (ctx: Koa.Context, world: Questions): Promise<boolean> => {
  for (const { path, ask } of answers) {
    const match = path.exec(ctx.path);
    if (!match) continue;
    try {
      const told = await ask(world, match[1] ?? "", new URLSearchParams(ctx.querystring));
      if (told) ctx.body = told;
      else refuse(ctx, 404, "no event of this sequence is a dead letter");
    } catch (thrown) {
      refuseThrown(ctx, thrown);
    }
    return true;
  }
  return false;
};
