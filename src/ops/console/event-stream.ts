import { PassThrough } from "node:stream";
import type Koa from "koa";
import type { OpsStatus } from "../health/status.ts";
import { sendError } from "../reply.ts";

/** Sampling interval in milliseconds, and number of samples kept: the last ten minutes. */
const sampling = { intervalMs: 1_000, maxSamples: 600 };

/** A page with more unsent bytes than this is disconnected. */
const maxUnsentBytes = 1024 * 1024;

/** Each page costs one write per second. */
const maxListeners = 64;

/** One sample of the status: a point of the console's charts. */
interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: OpsStatus["state"];
  readonly lagEvents: number;
  readonly lagSeconds: number;
  readonly eventsPerSecond: number;
}

export type StatusStream = ReturnType<typeof createStatusStream>;

/**
 * Starts sampling the status, so that a page opened later shows the last minutes immediately.
 * @param now milliseconds since 1970
 */
export const createStatusStream = (status: () => OpsStatus, now: () => number) => {
  let samples: readonly Sample[] = [];
  const listeners = new Set<PassThrough>();
  const sample = (): void => {
    const at = now();
    const current = status();
    samples = [...samples, toSample(current, at)].slice(-sampling.maxSamples);
    const message = formatMessage("status", { at, ...current });
    for (const listener of listeners) {
      if (listener.writableLength > maxUnsentBytes) listener.destroy();
      else listener.write(message);
    }
  };
  sample();
  const timer = setInterval(sample, sampling.intervalMs);
  return {
    /** Replies with server-sent events: `history` first, then `status` every second. */
    subscribe(ctx: Koa.Context) {
      if (listeners.size >= maxListeners) {
        return sendError(ctx, 503, `${maxListeners} pages are connected already; close one`);
      }
      const body = new PassThrough();
      ctx.type = "text/event-stream; charset=utf-8";
      ctx.body = body;
      if (ctx.method === "HEAD") return void body.end();
      listeners.add(body);
      body.once("close", () => listeners.delete(body));
      body.write("retry: 1000\n");
      body.write(formatMessage("history", { every: sampling.intervalMs, samples }));
      body.write(formatMessage("status", { at: now(), ...status() }));
    },
    close(): void {
      clearInterval(timer);
      for (const listener of listeners) listener.end();
    },
  };
};

const formatMessage = (event: string, data: object): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

const toSample = (status: OpsStatus, at: number): Sample => ({
  at,
  state: status.state,
  lagEvents: status.status?.lagEvents ?? 0,
  lagSeconds: Math.round(status.lagSeconds * 10) / 10,
  eventsPerSecond: status.state === "silent" ? 0 : (status.status?.eventsPerSecond ?? 0),
});
