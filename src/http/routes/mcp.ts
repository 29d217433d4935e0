import type { ToolEndpoint } from "../../surfaces/access/tokens.ts";
import type { BatchScheduler } from "../../surfaces/mcp/batch.ts";
import { type McpSurface, maxRequestBytes } from "../../surfaces/mcp/handler.ts";
import type { McpResponse } from "../../surfaces/mcp/server.ts";
import type { McpHeaders } from "../../surfaces/mcp/stateless-revision.ts";
import { toolsNotice } from "../../surfaces/text/notice-page.ts";
import { withNotice } from "../error-reply.ts";
import {
  after,
  type Exchange,
  type Handler,
  type HasBody,
  type HasModel,
  type Layer,
} from "../exchange.ts";
import type { HasClaims, requireValidToken } from "../middleware/bearer-auth.ts";
import { jsonBody } from "../middleware/json-body.ts";
import { originGuard } from "../middleware/origin-guard.ts";
import { encodeText, type Reply } from "../reply.ts";
import type { Route } from "../route.ts";
import type { SerialExecutor } from "../scheduling/serial-executor.ts";
import { admissionControl, shedLoad, type WorkQueue } from "../scheduling/work-queue.ts";

interface McpRouteDeps extends ToolEndpoint {
  /** Name for metrics. */
  readonly name: string;
  readonly surface: McpSurface;
  /** Admits only requests with a token of this service and, where the tools are open, requests without a token. */
  readonly verify: Layer<HasClaims>;
  /** Admits only requests whose token is not revoked, and selects the generation to answer from. */
  readonly requireValid: ReturnType<typeof requireValidToken>;
  readonly queue: WorkQueue;
  /** Runs one batch at a time, of all clients and endpoints. */
  readonly runExclusively: SerialExecutor;
  readonly allowedOrigins: "any" | readonly string[];
}

/**
 * Builds the route of an endpoint of tools (Specification §4.2). The token is checked before the body is read, and again after each
 * wait, because it may be revoked meanwhile.
 */
export const mcpRoute = (deps: McpRouteDeps): Route => {
  const { name, path, baseUrl, verify, requireValid, queue, allowedOrigins } = deps;
  const checkOrigin = originGuard({ baseUrl, allowedOrigins });
  const run = admissionControl(queue)(requireValid(mcp(deps)));
  return {
    name,
    path,
    methods: ["POST"],
    cors: allowedOrigins === "any" ? "any" : { origins: allowedOrigins },
    reads: explainToBrowsers(baseUrl),
    handler: checkOrigin(verify(requireValid(jsonBody(maxRequestBytes)(run)))),
  };
};

/** Answers 405 to a browser with a page. */
const explainToBrowsers = (baseUrl: string): Layer => {
  const page = toolsNotice(baseUrl);
  return (next) => (exchange) =>
    exchange.method === "GET" || exchange.method === "HEAD"
      ? after(next(exchange), (reply) => withNotice(exchange, reply, () => page))
      : next(exchange);
};

type CheckedCall = HasClaims & HasModel & HasBody;

/** Handles a POST to the endpoint. The reply is JSON regardless of `Accept`. */
const mcp =
  ({ surface, requireValid, queue, runExclusively }: McpRouteDeps): Handler<CheckedCall> =>
  (exchange) => {
    const { model, body, client } = exchange;
    let rejected: Reply | undefined;
    const batches: BatchScheduler = {
      // A batch holds up to ten responses of megabytes until the last is complete.
      runExclusively: <T>(work: () => Promise<T>, onTimeout: () => T) =>
        runExclusively(
          client,
          async () => {
            exchange.leaveTick();
            const reply = await requireValid(() => noReplyYet)(exchange);
            if (reply === noReplyYet) return work();
            rejected = reply;
            return onTimeout();
          },
          onTimeout,
        ),
      acquireReader: () => queue.acquireNext(client).then(() => exchange.reader()),
    };
    return after(
      surface(model, body, mcpHeaders(exchange), batches),
      (response) => rejected ?? toReply(exchange, response),
    );
  };

/** Stands for the reply to a request that passed a check. */
const noReplyYet: Reply = { status: 202, body: null };

const toReply = (exchange: Exchange, { status, body, madeFrom }: McpResponse): Reply => {
  if (status === 429) return shedLoad(exchange);
  return {
    status,
    madeFrom,
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
