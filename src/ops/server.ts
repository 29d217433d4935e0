import Koa from "koa";
import { metricsContentType } from "./metrics.ts";
import type { Sighting } from "./sighting.ts";

/** What the ops port tells. */
export interface OpsWorld {
  /** Why the service is not ready; none when it is. */
  readonly reasons: () => readonly string[];
  readonly projector: () => Sighting;
  /** Prometheus text. */
  readonly metrics: () => Promise<string>;
  /** Absolute path: two services on one machine are told apart by it. */
  readonly dataDir: string;
  /** Names of damaged generations that were set aside, oldest first. */
  readonly quarantined: () => readonly string[];
}

/** What `GET /status` answers. */
export interface OpsStatus extends Sighting {
  readonly dataDir: string;
  readonly ready: boolean;
  readonly reasons: readonly string[];
  readonly quarantined: readonly string[];
}

/** The ops port (contract section 1): never the public one. */
export const createOps = (world: OpsWorld): Koa => {
  const app = new Koa();
  app.use(async (ctx) => {
    ctx.set("Cache-Control", "no-store");
    const answer = answers[ctx.path];
    if (!answer) {
      ctx.status = 404;
      ctx.body = `nothing here; try ${Object.keys(answers).join(", ")}\n`;
    } else if (ctx.method !== "GET" && ctx.method !== "HEAD") {
      ctx.status = 405;
      ctx.set("Allow", "GET, HEAD");
    } else await answer(ctx, world);
  });
  return app;
};

type Answer = (ctx: Koa.Context, world: OpsWorld) => void | Promise<void>;

const answers: Readonly<Record<string, Answer>> = {
  "/healthz": (ctx) => {
    ctx.body = { status: "up" };
  },
  "/readyz": (ctx, world) => {
    const reasons = world.reasons();
    const { state, reason, status, lagSeconds } = world.projector();
    ctx.status = reasons.length === 0 ? 200 : 503;
    ctx.body = {
      ready: reasons.length === 0,
      reasons,
      state,
      reason,
      lag: { events: status?.lagEvents ?? null, seconds: lagSeconds },
    };
  },
  "/status": (ctx, world) => {
    const reasons = world.reasons();
    const { dataDir } = world;
    ctx.body = {
      dataDir,
      ready: reasons.length === 0,
      reasons,
      quarantined: world.quarantined(),
      ...world.projector(),
    } satisfies OpsStatus;
  },
  "/metrics": async (ctx, world) => {
    ctx.type = metricsContentType;
    ctx.body = await world.metrics();
  },
};
