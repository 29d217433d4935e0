import Negotiator from "negotiator";
import type { Context } from "../context.ts";

/**
 * Selects the media type that the client prefers (RFC 9110 §12.5.1), and the first of equally good ones.
 * Workaround for negotiator 0.6.3 in Koa's `accepts`: it takes half a second for 14 KB of quotes, and
 * negotiator 1.1.0 none.
 * @returns undefined when the client accepts none
 */
export const negotiateType = <T extends string>(
  ctx: Context,
  types: readonly T[],
): T | undefined => {
  // An empty header counts as absent.
  if (!ctx.headers.accept) return types[0];
  const accept = ctx.headers.accept.replace(mediaTypeParameters, "");
  const best = new Negotiator({ headers: { accept } }).mediaType([...types]);
  return types.find((type) => type === best);
};

/**
 * Matches parameters other than the weight. `application/json; charset=utf-8` means JSON, because there is no
 * charset to choose.
 */
const mediaTypeParameters = /;(?!\s*q\s*=)[^;,]*/gi;
