import type { CurrentReader } from "../../read-model/reader/reader.ts";
import { bodyLimit, type McpSurface } from "../../surfaces/mcp/handler.ts";
import type { Step } from "../context.ts";
import { jsonBody } from "../middleware/json-body.ts";
import { mcpOrigin, openToOrigins } from "../middleware/origin-guard.ts";
import type { Route } from "../routes.ts";
import type { WorkQueue } from "../scheduling/admission-control.ts";
import { mcp } from "./mcp.ts";

export interface McpRouteWorld {
  readonly baseUrl: string;
  readonly surface: McpSurface;
  /** Admits only requests with a valid bearer token, and selects the generation to answer from. */
  readonly token: Step;
  /** Queues a call under load, and runs `recheck` after the wait. */
  readonly turn: (again: Step) => Step;
  readonly reader: CurrentReader;
  readonly queue: WorkQueue;
  readonly trustedProxies: number;
  /** Additional browser origins that may call the tools. */
  readonly allowedOrigins: readonly string[];
}

/** Builds the route of the tools (Specification §4.2). The caller is checked before the body is read. */
export const mcpRoute = ({
  token: authenticate,
  turn: waitForSlot,
  allowedOrigins,
  ...deps
}: McpRouteWorld): Route => ({
  name: "mcp",
  path: "/agent/mcp",
  methods: ["POST"],
  openToPages: false,
  pages: openToOrigins(allowedOrigins),
  steps: [
    mcpOrigin({ baseUrl: deps.baseUrl, allowed: allowedOrigins }),
    authenticate,
    jsonBody(bodyLimit),
    waitForSlot(authenticate),
    mcp({ ...deps, authenticate }),
  ],
});
