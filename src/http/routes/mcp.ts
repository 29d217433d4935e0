import type { BatchScheduler } from "../../surfaces/mcp/batch.ts";
import { type McpSurface, maxRequestBytes } from "../../surfaces/mcp/handler.ts";
import type { McpResponse } from "../../surfaces/mcp/server.ts";
import type { McpHeaders } from "../../surfaces/mcp/stateless-revision.ts";
import type { Exchange } from "../exchange.ts";
import { jsonBody } from "../middleware/json-body.ts";
import { originGuard } from "../middleware/origin-guard.ts";
import { after, type Handler, type HasBody, type HasModel, type Layer } from "../pipeline.ts";
import { encodeText, type Reply } from "../reply.ts";
import type { Route } from "../route.ts";
import { admissionControl, shedLoad } from "../scheduling/admission-control.ts";
import { createSerialExecutor } from "../scheduling/serial-executor.ts";
import type { WorkQueue } from "../scheduling/work-queue.ts";

export interface McpRouteDeps {
  readonly baseUrl: string;
  readonly surface: McpSurface;
  /** Admits only requests with a valid bearer token, and selects the generation to answer from. */
  readonly authenticate: Layer<HasModel>;
  readonly queue: WorkQueue;
  /** Browser origins other than the service's own that may call the tools. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Builds the route of the tools (Specification §4.2). The caller is checked before the body is read, and again after a
 * wait.
 */
export const mcpRoute = (deps: McpRouteDeps): Route => {
  const { baseUrl, authenticate, queue, allowedOrigins } = deps;
  const handler = mcp(deps);
  const checkOrigin = originGuard({ baseUrl, allowedOrigins });
  const run = admissionControl(queue)<HasModel & HasBody>(handler, authenticate(handler));
  return {
    name: "mcp",
    path: "/agent/mcp",
    methods: ["POST"],
    cors: { origins: allowedOrigins },
    handler: checkOrigin(authenticate(jsonBody(maxRequestBytes)(run))),
  };
};

/** Handles `POST /agent/mcp`. The reply is JSON regardless of `Accept`. */
const mcp = ({ surface, authenticate, queue }: McpRouteDeps): Handler<HasModel & HasBody> => {
  const runExclusively = createSerialExecutor();
  return (exchange) => {
    const { model, body, client } = exchange;
    let rejected: Reply | undefined;
    const batches: BatchScheduler = {
      // A batch holds up to ten responses of megabytes until the last is complete.
      runExclusively: <T>(work: () => Promise<T>, onTimeout: () => T) =>
        runExclusively(
          client,
          async () => {
            exchange.leaveTick();
            const reply = await authenticate(() => noReplyYet)(exchange);
            if (reply === noReplyYet) return work();
            rejected = reply;
            return onTimeout();
          },
          onTimeout,
        ),
      acquireReader: () => queue.acquireNext(client).then(exchange.reader),
    };
    return after(
      surface(model, body, mcpHeaders(exchange), batches),
      (response) => rejected ?? toReply(exchange, response),
    );
  };
};

/** Stands for the reply to a request that passed a check. */
const noReplyYet: Reply = { status: 202, body: null };

const toReply = (exchange: Exchange, { status, body }: McpResponse): Reply => {
  if (status === 429) return shedLoad(exchange);
  return {
    status,
    headers: ["Cache-Control", "no-store"],
    ...(body === undefined
      ? { body: null }
      : { body: encodeText(body), type: "application/json; charset=utf-8" }),
  };
};

/** Reads the MCP headers. An empty header counts as absent. */
const mcpHeaders = ({ request: { headers } }: Exchange): McpHeaders => ({
  version: String(headers["mcp-protocol-version"] ?? "") || undefined,
  method: String(headers["mcp-method"] ?? "") || undefined,
  name: String(headers["mcp-name"] ?? "") || undefined,
});
