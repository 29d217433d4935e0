import { once } from "node:events";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Exchange } from "./exchanges.ts";
import { serveTool } from "./serve-tool.ts";

/** A server of the MCP SDK whose tool looks up a prepared result. */

const [exchanges] = (await once(process, "message")) as [readonly Exchange[]];
const results = new Map<string, CallToolResult>(
  exchanges.map(({ body }) => {
    const { id, result } = JSON.parse(body);
    return [String(id), result];
  }),
);

await serveTool((args) => {
  const result = results.get(String(args?.product_id));
  if (!result) throw new Error("no such product");
  return result;
});
