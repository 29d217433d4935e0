import type { IncomingMessage } from "node:http";
import type { CurrentReader } from "../../read-model/reader/reader.ts";
import type { Batches, McpSurface } from "../../surfaces/mcp/handler.ts";
import type { McpHeaders } from "../../surfaces/mcp/stateless-revision.ts";
import { clientOf } from "../connection/client-address.ts";
import type { Context, Step } from "../context.ts";
import { refuseLate, type WorkQueue } from "../scheduling/admission-control.ts";
import { oneAtATime } from "../scheduling/serial-executor.ts";

interface McpHandlerDeps {
  readonly surface: McpSurface;
  /** Admits only requests with a valid bearer token, and runs again after a batch has waited. */
  readonly authenticate: Step;
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
}: McpHandlerDeps): Step => {
  const runExclusively = oneAtATime();
  return async (ctx) => {
    const client = clientOf(ctx.req, trustedProxies);
    let isAuthorized = true;
    const batches: Batches = {
      // A batch holds up to ten responses of megabytes until the last is complete.
      alone: <T>(work: () => Promise<T>, onTimeout: () => T) =>
        runExclusively(
          client,
          async () => {
            isAuthorized = await isAllowed(authenticate, ctx);
            return isAuthorized ? work() : onTimeout();
          },
          onTimeout,
        ),
      turn: () => queue.next(client).then(reader),
    };
    const reply = await surface(ctx.state.reader, ctx.state.body, mcpHeaders(ctx.req), batches);
    if (!isAuthorized) return;
    if (reply.status === 429) return refuseLate(ctx);
    ctx.set("Cache-Control", "no-store");
    ctx.body = reply.body === undefined ? null : Buffer.from(reply.body);
    ctx.status = reply.status;
    if (reply.body !== undefined) ctx.set("Content-Type", "application/json; charset=utf-8");
  };
};

/** Tests whether middleware admits a request. If not, it has sent the response. */
const isAllowed = async (middleware: Step, ctx: Context): Promise<boolean> => {
  let hasPassed = false;
  await middleware(ctx as Parameters<Step>[0], async () => {
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
