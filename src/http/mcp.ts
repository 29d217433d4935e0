import type { IncomingMessage } from "node:http";
import type { McpHeaders } from "../surfaces/mcp/modern.ts";
import type { McpSurface } from "../surfaces/mcp/surface.ts";
import type { Step } from "./context.ts";

/** `POST /agent/mcp` (§4.2), after `token` and `jsonBody`. The answer is JSON whatever `Accept` says. */
export const mcp =
  (surface: McpSurface): Step =>
  async (ctx) => {
    const answer = await surface(ctx.state.reader, ctx.state.body, mcpHeaders(ctx.req));
    ctx.set("Cache-Control", "no-store");
    ctx.body = answer.body === undefined ? null : Buffer.from(answer.body);
    ctx.status = answer.status;
    if (answer.body !== undefined) ctx.set("Content-Type", "application/json; charset=utf-8");
  };

/** An empty header counts as absent. */
export const mcpHeaders = ({ headers }: IncomingMessage): McpHeaders => ({
  version: String(headers["mcp-protocol-version"] ?? "") || undefined,
  method: String(headers["mcp-method"] ?? "") || undefined,
  name: String(headers["mcp-name"] ?? "") || undefined,
});
