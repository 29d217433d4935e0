import { PassThrough } from "node:stream";
import type Koa from "koa";
import { refuse } from "../error-response.ts";
import type { OpsStatus } from "../health/status.ts";
import { keepHistory, sampleOf } from "./history.ts";

/** Sampling interval in milliseconds, and number of samples kept: the last ten minutes. */
export const sampling = { every: 1_000, kept: 600 };

/** A page with more unsent bytes than this is disconnected. */
const maxUnsentBytes = 1024 * 1024;

/** Each page costs one write per second. */
const maxListeners = 64;

/** Streams the status to all connected pages. */
export interface StatusStream {
  /** Replies with server-sent events: `history` first, then `status` every second. */
  answer(ctx: Koa.Context): void;
  /** Ends all streams. */
  close(): void;
}

/**
 * Starts sampling the status, so that a page opened later shows the last minutes immediately.
 * @param now milliseconds since 1970
 */
export const openStream = (status: () => OpsStatus, now: () => number): StatusStream => {
  const history = keepHistory(sampling.kept);
  const listeners = new Set<PassThrough>();
  const sample = (): void => {
    const at = now();
    const current = status();
    history.add(sampleOf(current, at));
    const message = formatMessage("status", { at, ...current });
    for (const listener of listeners) {
      if (listener.writableLength > maxUnsentBytes) listener.destroy();
      else listener.write(message);
    }
  };
  sample();
  const timer = setInterval(sample, sampling.every);
  return {
    answer(ctx) {
      if (listeners.size >= maxListeners) {
        return refuse(ctx, 503, `${maxListeners} pages look on already; close one`);
      }
      const body = new PassThrough();
      ctx.type = "text/event-stream; charset=utf-8";
      ctx.body = body;
      if (ctx.method === "HEAD") return void body.end();
      listeners.add(body);
      body.once("close", () => listeners.delete(body));
      body.write("retry: 1000\n");
      body.write(formatMessage("history", { every: sampling.every, samples: history.samples() }));
      body.write(formatMessage("status", { at: now(), ...status() }));
    },
    close() {
      clearInterval(timer);
      for (const listener of listeners) listener.end();
    },
  };
};

const formatMessage = (event: string, data: object): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
