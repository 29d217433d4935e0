import Koa from "koa";
import { logFailures } from "../http/connection/log-failures.ts";
import { normalizeTarget, pathOf } from "../http/exchange.ts";
import type { Logger } from "../log.ts";
import { metricsContentType } from "../ops/metrics/process-metrics.ts";
import { sendError, sendJson } from "../ops/reply.ts";

export interface OpsAppDeps {
  /** Why the gateway is not ready; empty when it is. */
  readonly reasons: () => readonly string[];
  /** @returns metrics in Prometheus text format */
  readonly metrics: () => Promise<string>;
  readonly log: Logger;
}

/** Creates the app of the gateway's ops port. It is read-only, and reveals no delivery. */
export const createGatewayOpsApp = ({ reasons, metrics, log }: OpsAppDeps): Koa => {
  const app = new Koa();
  app.on("error", logFailures(log, "the ops port failed to answer"));
  app.use(async (ctx) => {
    ctx.set("Cache-Control", "no-store");
    if (ctx.method !== "GET" && ctx.method !== "HEAD") {
      ctx.set("Allow", "GET, HEAD");
      return sendError(ctx, 405, "the ops port is read-only");
    }
    switch (pathOf(normalizeTarget(ctx.url) ?? "")) {
      case "/healthz":
        return sendJson(ctx, { status: "up" });
      case "/readyz": {
        const found = reasons();
        return sendJson(
          ctx,
          { ready: found.length === 0, reasons: found },
          found.length === 0 ? 200 : 503,
        );
      }
      case "/metrics":
        ctx.type = metricsContentType;
        ctx.body = await metrics();
        return;
      default:
        sendError(ctx, 404, "nothing here; try /healthz, /readyz, /metrics");
    }
  });
  return app;
};
