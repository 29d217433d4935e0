import { once } from "node:events";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Exchange } from "./exchanges.ts";
import { serveTool } from "./serve-tool.ts";

/** A tool of the SDK's own server that only fetches what it answers. */

const [exchanges] = (await once(process, "message")) as [readonly Exchange[]];
const results = new Map<string, CallToolResult>(
  exchanges.map(({ answer }) => {
    const { id, result } = JSON.parse(answer);
    return [String(id), result];
  }),
);

await serveTool((given) => {
  const result = results.get(String(given?.product_id));
  if (!result) throw new Error("no such product");
  return result;
});
