import type Koa from "koa";
import { metricsContentType } from "../metrics/process-metrics.ts";
import { type StatusWorld, statusOf } from "./status.ts";

/** All there is to tell of the service, where its directory is too. */
export const sendStatus = (ctx: Koa.Context, world: StatusWorld): void => {
  ctx.body = statusOf(world);
};

export interface ProbedWorld extends StatusWorld {
  /** Prometheus text. */
  readonly metrics: () => Promise<string>;
}

type Probe = (ctx: Koa.Context, world: ProbedWorld) => void | Promise<void>;

/** What machines ask by whatever name, by path: figures, and why the service is not ready. */
export const probes: Readonly<Record<string, Probe>> = {
  "/healthz": (ctx) => {
    ctx.body = { status: "up" };
  },
  "/readyz": (ctx, world) => {
    const { ready, reasons, state, reason, status, lagSeconds } = statusOf(world);
    ctx.status = ready ? 200 : 503;
    const lag = { events: status?.lagEvents ?? null, seconds: lagSeconds };
    ctx.body = { ready, reasons, state, reason, lag };
  },
  "/metrics": async (ctx, world) => {
    ctx.type = metricsContentType;
    ctx.body = await world.metrics();
  },
};
