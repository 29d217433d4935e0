import type { Config } from "../config.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import type { Count } from "../http/rate-limit-count.ts";
import { shareCount } from "../http/rate-limit-shared.ts";
import { type Answered, tell } from "./messages.ts";

/** The limit as one HTTP process keeps it. */
export const rateLimitOf = (config: Config): RateLimit => ({
  limit: config.rateLimit,
  trustedProxies: config.trustProxy,
  count: countTogether(),
});

/**
 * The process that started this one counts, for all of them: one count for each client, and a crash gives no requests
 * back. Also where there is one HTTP process only: asking costs a lone request 0.1 ms, and a busy process nothing,
 * as requests that arrive together are asked about together.
 */
const countTogether = (): Count => {
  const { count, hear } = shareCount(tell);
  process.on("message", (answered: Answered) => {
    if (answered.kind === "counted") hear(answered);
  });
  return count;
};
