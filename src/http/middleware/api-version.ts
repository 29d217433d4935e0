import { apiVersion } from "../../surfaces/shop-info.ts";
import type { Middleware } from "../context.ts";

/** Sets the version of the API on every response, including errors (Specification §9 rule 1). */
export const apiVersionHeaders = (): Middleware => async (ctx, next) => {
  ctx.set("API-Version", apiVersion);
  // RFC 9745 does not define `false`; Specification §9 rule 1 requires it.
  ctx.set("Deprecation", "false");
  await next();
};
