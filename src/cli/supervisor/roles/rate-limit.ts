import type { RateLimit } from "../../../http/middleware/rate-limit.ts";
import { type Counter, createFixedWindow } from "../../../http/rate-limit/fixed-window.ts";
import { countClient } from "../../../http/rate-limit/ipc.ts";
import type { ServeConfig } from "../../shared-options.ts";
import { onSupervisorMessage, sendToSupervisor } from "../ipc.ts";

/** Builds the rate limit of one HTTP process. */
export const createRateLimit = (config: ServeConfig): RateLimit => ({
  limit: config.rateLimit,
  trustedProxies: config.trustProxy,
  count: config.workers === 1 ? countLocally(config) : countInSupervisor(),
});

const countLocally = ({ rateLimit }: ServeConfig): Counter =>
  createFixedWindow(rateLimit, () => performance.now());

/** Counts in the supervisor, because several HTTP processes share the limit. */
const countInSupervisor = (): Counter => {
  const { count, onReply } = countClient(sendToSupervisor);
  onSupervisorMessage("counted", onReply);
  return count;
};
