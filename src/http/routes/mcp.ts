import type { IncomingMessage } from "node:http";
import type { CurrentReader } from "../../read-model/reader/reader.ts";
import type { BatchScheduler } from "../../surfaces/mcp/batch.ts";
import type { McpSurface } from "../../surfaces/mcp/handler.ts";
import type { McpHeaders } from "../../surfaces/mcp/stateless-revision.ts";
import { clientAddress } from "../connection/client-address.ts";
import type { Context, Middleware } from "../context.ts";
import { shedLoad } from "../scheduling/admission-control.ts";
import { createSerialExecutor } from "../scheduling/serial-executor.ts";
import type { WorkQueue } from "../scheduling/work-queue.ts";

interface McpHandlerDeps {
  readonly surface: McpSurface;
  /** Admits only requests with a valid bearer token, and runs again after a batch has waited. */
  readonly authenticate: Middleware;
  readonly reader: CurrentReader;
  readonly queue: WorkQueue;
  readonly trustedProxies: number;
}

/**
 * Handles `POST /agent/mcp` (Specification §4.2), after `bearerAuth` and `jsonBody`. The response is JSON
 * regardless of `Accept`.
 */
export const mcp = ({
  surface,
  authenticate,
  reader,
  queue,
  trustedProxies,
}: McpHandlerDeps): Middleware => {
  const runExclusively = createSerialExecutor();
  return async (ctx) => {
    const client = clientAddress(ctx.req, trustedProxies);
    let isAuthorized = true;
    const batches: BatchScheduler = {
      // A batch holds up to ten responses of megabytes until the last is complete.
      runExclusively: <T>(work: () => Promise<T>, onTimeout: () => T) =>
        runExclusively(
          client,
          async () => {
            isAuthorized = await isAllowed(authenticate, ctx);
            return isAuthorized ? work() : onTimeout();
          },
          onTimeout,
        ),
      acquireReader: () => queue.acquireNext(client).then(reader),
    };
    const reply = await surface(ctx.state.reader, ctx.state.body, mcpHeaders(ctx.req), batches);
    if (!isAuthorized) return;
    if (reply.status === 429) return shedLoad(ctx);
    ctx.set("Cache-Control", "no-store");
    ctx.body = reply.body === undefined ? null : Buffer.from(reply.body);
    ctx.status = reply.status;
    if (reply.body !== undefined) ctx.set("Content-Type", "application/json; charset=utf-8");
  };
};

/** Tests whether middleware admits a request. If not, it has sent the response. */
const isAllowed = async (middleware: Middleware, ctx: Context): Promise<boolean> => {
  let hasPassed = false;
  await middleware(ctx as Parameters<Middleware>[0], async () => {
    hasPassed = true;
  });
  return hasPassed;
};

/** Reads the MCP headers. An empty header counts as absent. */
export const mcpHeaders = ({ headers }: IncomingMessage): McpHeaders => ({
  version: String(headers["mcp-protocol-version"] ?? "") || undefined,
  method: String(headers["mcp-method"] ?? "") || undefined,
  name: String(headers["mcp-name"] ?? "") || undefined,
});
