import { PassThrough } from "node:stream";
import type Koa from "koa";
import { refuse } from "../error-response.ts";
import type { OpsStatus } from "../health/status.ts";
import { keepHistory, sampleOf } from "./history.ts";

/** Milliseconds between two samples, and how many of them are kept: the last ten minutes. */
export const sampling = { every: 1_000, kept: 600 };

/** A page that does not take what it is told is cut off at this many bytes. */
const mostUnread = 1024 * 1024;

/** Each page that looks on costs a write a second. */
const mostListeners = 64;

/** The status as it changes, for everybody who listens. */
export interface StatusStream {
  /** Answers a request with server-sent events: `history` first, then `status` every second. */
  answer(ctx: Koa.Context): void;
  /** Ends every answer. */
  close(): void;
}

/**
 * Samples the status from now on, so that a page opened late shows the last minutes at once.
 * @param now milliseconds since 1970
 */
export const openStream = (status: () => OpsStatus, now: () => number): StatusStream => {
  const history = keepHistory(sampling.kept);
  const listeners = new Set<PassThrough>();
  const sample = (): void => {
    const at = now();
    const told = status();
    history.add(sampleOf(told, at));
    const message = messageOf("status", { at, ...told });
    for (const listener of listeners) {
      if (listener.writableLength > mostUnread) listener.destroy();
      else listener.write(message);
    }
  };
  sample();
  const timer = setInterval(sample, sampling.every);
  return {
    answer(ctx) {
      if (listeners.size >= mostListeners) {
        return refuse(ctx, 503, `${mostListeners} pages look on already; close one`);
      }
      const body = new PassThrough();
      ctx.type = "text/event-stream; charset=utf-8";
      ctx.body = body;
      if (ctx.method === "HEAD") return void body.end();
      listeners.add(body);
      body.once("close", () => listeners.delete(body));
      body.write("retry: 1000\n");
      body.write(messageOf("history", { every: sampling.every, samples: history.samples() }));
      body.write(messageOf("status", { at: now(), ...status() }));
    },
    close() {
      clearInterval(timer);
      for (const listener of listeners) listener.end();
    },
  };
};

const messageOf = (event: string, data: object): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
