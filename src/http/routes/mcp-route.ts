import type { CurrentReader } from "../../read-model/reader/reader.ts";
import { type McpSurface, maxRequestBytes } from "../../surfaces/mcp/handler.ts";
import type { Middleware } from "../context.ts";
import { jsonBody } from "../middleware/json-body.ts";
import { originGuard } from "../middleware/origin-guard.ts";
import type { Route } from "../routes.ts";
import type { WorkQueue } from "../scheduling/work-queue.ts";
import { mcp } from "./mcp.ts";

export interface McpRouteDeps {
  readonly baseUrl: string;
  readonly surface: McpSurface;
  /** Admits only requests with a valid bearer token, and selects the generation to answer from. */
  readonly authenticate: Middleware;
  /** Queues a call under load, and runs `recheck` after the wait. */
  readonly waitForSlot: (again: Middleware) => Middleware;
  readonly reader: CurrentReader;
  readonly queue: WorkQueue;
  readonly trustedProxies: number;
  /** Additional browser origins that may call the tools. */
  readonly allowedOrigins: readonly string[];
}

/** Builds the route of the tools (Specification §4.2). The caller is checked before the body is read. */
export const mcpRoute = ({
  authenticate,
  waitForSlot,
  allowedOrigins,
  ...deps
}: McpRouteDeps): Route => ({
  name: "mcp",
  path: "/agent/mcp",
  methods: ["POST"],
  cors: { origins: allowedOrigins },
  middleware: [
    originGuard({ baseUrl: deps.baseUrl, allowedOrigins }),
    authenticate,
    jsonBody(maxRequestBytes),
    waitForSlot(authenticate),
    mcp({ ...deps, authenticate }),
  ],
});
