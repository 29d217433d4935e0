import type { Comparison } from "../figures.ts";
import { type BeforeOptions, compareWithBefore } from "./against-before.ts";
import { benchFollowers } from "./followers.ts";
import { benchWalk, type WalkOptions } from "./walk.ts";

export interface FeedOptions extends Omit<BeforeOptions, "before">, WalkOptions {
  /** Folder of the version before the feed, with its build. */
  readonly before: string | undefined;
}

/** Measures the change feed: what it costs all other work, its followers, and a walk over all lines. */
export const benchFeed = async (options: FeedOptions): Promise<readonly Comparison[]> => {
  const { before, report } = options;
  if (before === undefined) report("rows of the build before are left out: --before names it");
  return [
    ...(before === undefined ? [] : await compareWithBefore({ ...options, before })),
    ...(await benchFollowers(options)),
    ...(await benchWalk(options)),
  ];
};
