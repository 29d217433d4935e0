import type { RateLimit } from "../../http/rate-limit.ts";
import { type Count, countRequests } from "../../http/rate-limit-count.ts";
import { shareCount } from "../../http/rate-limit-shared.ts";
import type { ServeConfig } from "../setting-groups.ts";
import { type Answered, tell } from "./messages.ts";

/** The limit as one HTTP process keeps it. */
export const rateLimitOf = (config: ServeConfig): RateLimit => ({
  limit: config.rateLimit,
  trustedProxies: config.trustProxy,
  count: config.workers === 1 ? countAlone(config) : countTogether(),
});

const countAlone = ({ rateLimit }: ServeConfig): Count =>
  countRequests(rateLimit, () => performance.now());

/** Several processes leave the count to the one that started them. */
const countTogether = (): Count => {
  const { count, hear } = shareCount(tell);
  process.on("message", (answered: Answered) => {
    if (answered.kind === "counted") hear(answered);
  });
  return count;
};
