import type { RateLimit } from "../../src/http/middleware/rate-limit.ts";
import { createFixedWindow } from "../../src/http/rate-limit/fixed-window.ts";

/** A rate limit that no test reaches, for tests about something else. */
export const unlimited = (): RateLimit => {
  const limit = 1_000_000_000;
  return { limit, trustedProxies: 0, count: createFixedWindow(limit, () => performance.now()) };
};
