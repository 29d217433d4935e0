import type { RateLimit } from "../../../http/middleware/rate-limit.ts";
import { type Count, countRequests } from "../../../http/rate-limit/fixed-window.ts";
import { shareCount } from "../../../http/rate-limit/ipc.ts";
import type { ServeConfig } from "../../shared-options.ts";
import { type Answered, tell } from "../ipc.ts";

/** Builds the rate limit of one HTTP process. */
export const rateLimitOf = (config: ServeConfig): RateLimit => ({
  limit: config.rateLimit,
  trustedProxies: config.trustProxy,
  count: config.workers === 1 ? countLocally(config) : countInSupervisor(),
});

const countLocally = ({ rateLimit }: ServeConfig): Count =>
  countRequests(rateLimit, () => performance.now());

/** Counts in the supervisor, because several HTTP processes share the limit. */
const countInSupervisor = (): Count => {
  const { count, hear } = shareCount(tell);
  process.on("message", (answered: Answered) => {
    if (answered.kind === "counted") hear(answered);
  });
  return count;
};
