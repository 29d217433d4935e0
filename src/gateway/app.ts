import Koa from "koa";
import { clientAddress } from "../http/connection/connection-limits.ts";
import { logFailures } from "../http/connection/log-failures.ts";
import { normalizeTarget, pathOf } from "../http/exchange.ts";
import { createFixedWindow } from "../http/rate-limit/rate-limit.ts";
import type { Logger } from "../log.ts";
import { sendError, sendJson } from "../ops/reply.ts";
import { type Answer, type ReceiveDeps, type Receiver, receive } from "./receive.ts";

export interface AppDeps extends Omit<ReceiveDeps, "countUnsigned" | "reading"> {
  readonly receivers: ReadonlyMap<string, Receiver>;
  /** Number of proxies in front whose X-Forwarded-For is trusted. */
  readonly trustedProxies: number;
  readonly onAnswer: (connection: string, answer: Answer) => void;
  readonly log: Logger;
}

/** Requests without a valid signature that a client may send in a minute. */
const maxUnsigned = 60;

/** Creates the app of the gateway's public port (Contract 10, Deliveries). */
export const createReceiverApp = ({
  receivers,
  trustedProxies,
  onAnswer,
  log,
  ...deps
}: AppDeps): Koa => {
  const app = new Koa();
  const count = createFixedWindow(maxUnsigned, () => performance.now());
  const receiveDeps = {
    ...deps,
    reading: { bytes: 0 },
    countUnsigned: (request: Parameters<ReceiveDeps["countUnsigned"]>[0]) =>
      count(clientAddress(request, trustedProxies)),
  };
  app.on("error", logFailures(log, "the gateway failed to answer"));
  app.use(async (ctx) => {
    // Koa's own path throws for a malformed target.
    const path = pathOf(normalizeTarget(ctx.url) ?? "");
    const name = /^\/connections\/([a-z0-9-]+)$/.exec(path)?.[1] ?? "";
    const receiver = receivers.get(name);
    if (!receiver) return sendError(ctx, 404, "there is no connection of this name");
    try {
      const answer = await receive(ctx.req, receiver, receiveDeps);
      onAnswer(name, answer);
      send(ctx, answer);
    } catch (error) {
      // A client that disconnected during its body reads no answer.
      if (!ctx.req.complete) return;
      log.error({ err: error }, "the gateway failed to answer");
      sendError(ctx, 500, "internal error of the gateway; see its log");
    }
  });
  return app;
};

const send = (ctx: Koa.Context, answer: Answer): void => {
  ctx.set("Cache-Control", "no-store");
  if (answer.status === 200) {
    sendJson(ctx, { delivery: answer.delivery });
    return;
  }
  if (answer.status === 405) ctx.set("Allow", "POST");
  if (answer.retryAfter !== undefined) ctx.set("Retry-After", String(answer.retryAfter));
  sendError(ctx, answer.status, answer.message);
};
