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
  /** Lets only those with a bearer token pass, with the generation to answer from. */
  readonly token: Step;
  /** Lets a call wait for its turn, and whoever calls be looked at again then. */
  readonly turn: (again: Step) => Step;
  readonly reader: CurrentReader;
  readonly queue: WorkQueue;
  readonly trustedProxies: number;
  /** Origins of pages that may call the tools besides the service's own. */
  readonly allowedOrigins: readonly string[];
}

/** The tool endpoint (§4.2): who may ask comes before what is asked. */
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
