import { apiVersion } from "../../surfaces/graphql/resolvers/shop.ts";
import type { Step } from "../context.ts";

/** §9 rule 1: every response says which version of the contract it speaks, errors too. */
export const version = (): Step => async (ctx, next) => {
  ctx.set("API-Version", apiVersion);
  // No RFC knows the word `false`; the specification asks for it.
  ctx.set("Deprecation", "false");
  await next();
};
