import type { McpSurface } from "../surfaces/mcp/surface.ts";
import type { Context, Step } from "./context.ts";

/** `POST /agent/mcp` (§4.2), after `ready` and `jsonBody`. The answer is JSON whatever `Accept` says. */
export const mcp =
  (surface: McpSurface): Step =>
  async (ctx) => {
    const answer = await surface(ctx.state.reader, ctx.state.body, {
      version: header(ctx, "MCP-Protocol-Version"),
      method: header(ctx, "Mcp-Method"),
      name: header(ctx, "Mcp-Name"),
    });
    ctx.set("Cache-Control", "no-store");
    ctx.body = answer.body ?? null;
    ctx.status = answer.status;
    if (answer.body !== undefined) ctx.set("Content-Type", "application/json; charset=utf-8");
  };

const header = (ctx: Context, name: string): string | undefined => ctx.get(name) || undefined;
