import type { IncomingMessage } from "node:http";
import type { CurrentReader } from "../../read-model/reader/reader.ts";
import type { McpSurface } from "../../surfaces/mcp/handler.ts";
import type { McpHeaders } from "../../surfaces/mcp/stateless-revision.ts";
import { clientOf } from "../connection/client-address.ts";
import type { Context, Step } from "../context.ts";
import { refuseLate, type WorkQueue } from "../scheduling/admission-control.ts";
import { oneAtATime } from "../scheduling/serial-executor.ts";

interface McpStepWorld {
  readonly surface: McpSurface;
  /** Lets only those with a bearer token pass, also after a batch of theirs has waited. */
  readonly token: Step;
  readonly reader: CurrentReader;
  readonly queue: WorkQueue;
  readonly trustedProxies: number;
}

/** `POST /agent/mcp` (§4.2), after `token` and `jsonBody`. The answer is JSON whatever `Accept` says. */
export const mcp = ({ surface, token, reader, queue, trustedProxies }: McpStepWorld): Step => {
  const alone = oneAtATime();
  return async (ctx) => {
    const client = clientOf(ctx.req, trustedProxies);
    let isLetIn = true;
    const batches = {
      // Ten answers of megabytes are held until the last is there.
      alone: <T>(work: () => Promise<T>, late: () => T) =>
        alone(
          client,
          async () => {
            isLetIn = await passes(token, ctx);
            return isLetIn ? work() : late();
          },
          late,
        ),
      turn: () => queue.next(client).then(reader),
    };
    const answer = await surface(ctx.state.reader, ctx.state.body, mcpHeaders(ctx.req), batches);
    if (!isLetIn) return;
    if (answer.status === 429) return refuseLate(ctx);
    ctx.set("Cache-Control", "no-store");
    ctx.body = answer.body === undefined ? null : Buffer.from(answer.body);
    ctx.status = answer.status;
    if (answer.body !== undefined) ctx.set("Content-Type", "application/json; charset=utf-8");
  };
};

/** Whether a step lets a request on; where it does not, it has answered. */
const passes = async (step: Step, ctx: Context): Promise<boolean> => {
  let isPassed = false;
  await step(ctx as Parameters<Step>[0], async () => {
    isPassed = true;
  });
  return isPassed;
};

/** An empty header counts as absent. */
export const mcpHeaders = ({ headers }: IncomingMessage): McpHeaders => ({
  version: String(headers["mcp-protocol-version"] ?? "") || undefined,
  method: String(headers["mcp-method"] ?? "") || undefined,
  name: String(headers["mcp-name"] ?? "") || undefined,
});
