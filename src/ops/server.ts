import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import Koa from "koa";
import { normalizeTarget } from "../http/exchange.ts";
import { formatUrl, portOf } from "../http/port.ts";
import { drain, listen } from "../http/server.ts";
import type { Logger } from "../log.ts";
import { ownFile } from "../package-info.ts";
import type { SettingValues } from "../settings.ts";
import { type AskConsole, answerQuery, examplePaths } from "./console/api.ts";
import { createStatusStream, type StatusStream } from "./console/event-stream.ts";
import { buildStatus, type StatusSource } from "./health/status.ts";
import { hostGuard, isOwnHost } from "./host-guard.ts";
import { metricsContentType } from "./metrics/process-metrics.ts";
import { sendError, sendJson } from "./reply.ts";

export interface OpsServer {
  /** URL for a browser, `http://127.0.0.1:9090`. */
  readonly url: string;
  /** Ends the event streams, waits briefly for requests in flight, and frees the port. */
  close(): Promise<void>;
}

type OpsAddress = Pick<SettingValues, "opsHost" | "opsPort" | "opsNames">;

const drainTimeoutMs = 500;

/**
 * Starts the ops port. The history of its console begins now.
 * @param now milliseconds since 1970
 * @throws VitrineError `listen`
 */
export const startOpsServer = async (
  deps: OpsDeps,
  { opsHost: host, opsPort: port, opsNames }: OpsAddress,
  now: () => number,
): Promise<OpsServer> => {
  const stream = createStatusStream(() => buildStatus(deps), now);
  try {
    const app = createOpsApp(deps, stream, [...opsNames, host.toLowerCase()]);
    const server = await listen(app, { host, port, flag: "--ops-port" });
    return {
      url: formatUrl(host, portOf(server)),
      async close() {
        stream.close();
        await drain(server, drainTimeoutMs);
      },
    };
  } catch (error) {
    stream.close();
    throw error;
  }
};

export interface OpsDeps extends StatusSource {
  /** @returns metrics in Prometheus text format */
  readonly metrics: () => Promise<string>;
  readonly askConsole: AskConsole;
  readonly log: Logger;
}

/**
 * Creates the app of the ops port, which is read-only and never the public port.
 * Contract §1: probes for machines, and a console for operators at `/`.
 * @param names hosts of the console, besides IP addresses and `localhost`
 */
const createOpsApp = (deps: OpsDeps, stream: StatusStream, names: readonly string[]): Koa => {
  const app = new Koa();
  const files = loadStaticFiles();
  app.on("error", (error) => {
    if (!isDisconnect(error)) deps.log.error({ err: error }, "the ops port failed to answer");
  });
  app.use(readOnly);
  app.use(normaliseTarget);
  app.use(async (ctx, next) => {
    const probe = Object.hasOwn(probes, ctx.path) ? probes[ctx.path] : undefined;
    return probe ? probe(ctx, deps, isOwnHost(ctx.get("Host"), names)) : next();
  });
  app.use(hostGuard(names));
  app.use(async (ctx) => {
    if (ctx.path === "/status") return sendJson(ctx, buildStatus(deps));
    const send = files.get(ctx.path);
    if (send) return send(ctx);
    if (ctx.path === "/events") return stream.subscribe(ctx);
    if (await answerQuery(ctx, deps.askConsole)) return;
    const paths = ["/", ...Object.keys(probes), "/status", "/events", ...examplePaths];
    sendError(ctx, 404, `nothing here; try ${paths.join(", ")}`);
  });
  return app;
};

/** @param isOwn false for a name that a foreign page could have, which gets no texts */
type Probe = (ctx: Koa.Context, deps: OpsDeps, isOwn: boolean) => void | Promise<void>;

/** Handlers for machines, by path. They accept any host name and reveal only numbers and readiness. */
const probes: Readonly<Record<string, Probe>> = {
  "/healthz": (ctx) => sendJson(ctx, { status: "up" }),
  "/readyz": (ctx, deps, isOwn) => {
    const { ready, reasons, state, reason, status, lagSeconds } = buildStatus(deps);
    const lag = { events: status?.lagEvents ?? null, seconds: lagSeconds };
    const body = isOwn ? { ready, reasons, state, reason, lag } : { ready, state, lag };
    sendJson(ctx, body, ready ? 200 : 503);
  },
  "/metrics": async (ctx, deps) => {
    ctx.type = metricsContentType;
    ctx.body = await deps.metrics();
  },
};

/** Checks whether the client disconnected, which is how most event streams end. */
const isDisconnect = ({ code }: NodeJS.ErrnoException): boolean =>
  code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";

/** Normalises the request target. Rejects a malformed one, because Koa would throw on it. */
const normaliseTarget: Koa.Middleware = async (ctx, next) => {
  const target = normalizeTarget(ctx.url);
  if (target === undefined) return sendError(ctx, 400, "the URL of the request is malformed");
  ctx.url = target;
  return next();
};

const readOnly: Koa.Middleware = async (ctx, next) => {
  ctx.set("Cache-Control", "no-store");
  ctx.set("X-Content-Type-Options", "nosniff");
  ctx.set("Cross-Origin-Resource-Policy", "same-origin");
  if (ctx.method === "GET" || ctx.method === "HEAD") return next();
  ctx.set("Allow", "GET, HEAD");
  sendError(
    ctx,
    405,
    "the ops port is read-only; use the commands for changes, see vitrine --help",
  );
};

const directory = ownFile("ops/console/assets");

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The page loads only files of its own origin, runs no inline script, and cannot be framed. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** @returns a handler for each file of the console by path: `index.html` at `/`, the others under `/console/` */
const loadStaticFiles = (): ReadonlyMap<string, (ctx: Koa.Context) => void> =>
  new Map(
    readdirSync(directory).map((name) => {
      const content = readFileSync(`${directory}/${name}`);
      const path = name === "index.html" ? "/" : `/console/${name}`;
      const send = (ctx: Koa.Context): void => {
        ctx.set("Content-Security-Policy", contentSecurityPolicy);
        ctx.set("Referrer-Policy", "no-referrer");
        ctx.type = contentTypes[extname(name)] ?? "application/octet-stream";
        ctx.body = content;
      };
      return [path, send] as const;
    }),
  );
