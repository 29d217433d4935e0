import {
  createGraphql,
  type GraphqlDeps,
  type GraphqlSurface,
} from "../surfaces/graphql/handler.ts";
import { readSdl } from "../surfaces/graphql/schema.ts";
import { createMcp, type McpSurface } from "../surfaces/mcp/handler.ts";
import { researchTools, shopTools } from "../surfaces/mcp/tools/tool-sets.ts";

/** Surfaces that execute requests, one of each per process. */
export interface Surfaces {
  readonly graphql: GraphqlSurface;
  readonly mcp: McpSurface;
  /** The tools for research connectors. */
  readonly research: McpSurface;
}

export const createSurfaces = (deps: Omit<GraphqlDeps, "sdl">): Surfaces => ({
  graphql: createGraphql({ ...deps, sdl: readSdl().toString() }),
  mcp: createMcp(deps, shopTools),
  research: createMcp(deps, researchTools),
});
