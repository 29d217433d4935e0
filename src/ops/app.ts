import Koa from "koa";
import { targetOf } from "../http/middleware/normalize-url.ts";
import type { Logger } from "../log.ts";
import { answer, askedPaths } from "./console/api.ts";
import type { StatusStream } from "./console/event-stream.ts";
import { pageFiles } from "./console/static-files.ts";
import type { Questions } from "./console/types.ts";
import { refuse } from "./error-response.ts";
import { type ProbedWorld, probes, sendStatus } from "./health/probes.ts";
import { ownOrigin } from "./host-guard.ts";

export type { OpsStatus } from "./health/status.ts";

/** What the ops port tells. */
export interface OpsWorld extends ProbedWorld {
  readonly questions: Questions;
  readonly log: Logger;
}

/**
 * The ops port (contract section 1): never the public one. It only tells: machines by its probes, and people by the
 * console at `/`.
 * @param host it listens on
 */
export const createOps = (world: OpsWorld, stream: StatusStream, host: string): Koa => {
  const app = new Koa();
  const files = pageFiles();
  app.on("error", (error) => {
    if (!isLeaving(error)) world.log.error({ err: error }, "the ops port failed to answer");
  });
  app.use(readOnly);
  app.use(readTarget);
  app.use(async (ctx, next) => {
    const probe = Object.hasOwn(probes, ctx.path) ? probes[ctx.path] : undefined;
    return probe ? probe(ctx, world) : next();
  });
  app.use(ownOrigin(host));
  app.use(async (ctx) => {
    if (ctx.path === "/status") return sendStatus(ctx, world);
    const send = files.get(ctx.path);
    if (send) return send(ctx);
    if (ctx.path === "/events") return stream.answer(ctx);
    if (await answer(ctx, world.questions)) return;
    const paths = ["/", ...Object.keys(probes), "/status", "/events", ...askedPaths];
    refuse(ctx, 404, `nothing here; try ${paths.join(", ")}`);
  });
  return app;
};

/** Whoever looks on may leave at any time: that is how most streams end. */
const isLeaving = ({ code }: NodeJS.ErrnoException): boolean =>
  code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";

/** Koa itself throws at an address that cannot be read. */
const readTarget: Koa.Middleware = async (ctx, next) => {
  const target = targetOf(ctx.url);
  if (target === undefined) return refuse(ctx, 400, "the address of the request is malformed");
  ctx.url = target;
  return next();
};

const readOnly: Koa.Middleware = async (ctx, next) => {
  ctx.set("Cache-Control", "no-store");
  ctx.set("X-Content-Type-Options", "nosniff");
  ctx.set("Cross-Origin-Resource-Policy", "same-origin");
  if (ctx.method === "GET" || ctx.method === "HEAD") return next();
  ctx.set("Allow", "GET, HEAD");
  refuse(ctx, 405, "the ops port only tells; the commands change things, see vitrine --help");
};
