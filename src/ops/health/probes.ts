import type Koa from "koa";
import { metricsContentType } from "../metrics/process-metrics.ts";
import { buildStatus, type StatusSource } from "./status.ts";

/** Sends the full status, which includes the path of the data directory. */
export const sendStatus = (ctx: Koa.Context, source: StatusSource): void => {
  ctx.body = buildStatus(source);
};

export interface ProbeDeps extends StatusSource {
  /** @returns metrics in Prometheus text format */
  readonly metrics: () => Promise<string>;
}

/** @param isOwn false for a name that a foreign page could have, which gets no texts */
type Probe = (ctx: Koa.Context, deps: ProbeDeps, isOwn: boolean) => void | Promise<void>;

/** Handlers for machines, by path. They accept any host name and reveal only numbers and readiness. */
export const probes: Readonly<Record<string, Probe>> = {
  "/healthz": (ctx) => {
    ctx.body = { status: "up" };
  },
  "/readyz": (ctx, deps, isOwn) => {
    const { ready, reasons, state, reason, status, lagSeconds } = buildStatus(deps);
    ctx.status = ready ? 200 : 503;
    const lag = { events: status?.lagEvents ?? null, seconds: lagSeconds };
    ctx.body = isOwn ? { ready, reasons, state, reason, lag } : { ready, state, lag };
  },
  "/metrics": async (ctx, deps) => {
    ctx.type = metricsContentType;
    ctx.body = await deps.metrics();
  },
};
