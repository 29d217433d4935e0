import { createFixedWindow, type RateLimit } from "../../src/http/rate-limit/rate-limit.ts";

/** A rate limit that no test reaches, for tests about something else. */
export const unlimited = (): RateLimit => {
  const limit = 1_000_000_000;
  return { limit, trustedProxies: 0, count: createFixedWindow(limit, () => performance.now()) };
};
