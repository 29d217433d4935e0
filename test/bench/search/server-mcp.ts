import { once } from "node:events";
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { tellParent } from "../tell-parent.ts";
import { textsOf } from "./corpus.ts";
import { miniSearch } from "./peers.ts";
import { shownOf } from "./shown.ts";

/** The SDK's low-level server as its documentation has it without sessions, with MiniSearch and plain objects. Argument: products. */

const texts = textsOf(Number(process.argv[2]));
const engine = await miniSearch(texts);
const byId = new Map(texts.map((text) => [text.id, shownOf(text)]));

const search = (query: string) => {
  const { ids, total } = engine.find(query, 20);
  const products = ids.flatMap((id) => byId.get(id) ?? []);
  const lines = products.map(
    ({ id, name, price }) => `- ${name} (id ${id}): ${price.amount} ${price.currency}`,
  );
  return {
    content: [{ type: "text" as const, text: [`${total} products match.`, ...lines].join("\n") }],
    structuredContent: {
      products: products.map(({ id, name, brand, price, availability, url }) => {
        return { id, name, brand, price, availability, url };
      }),
      total,
      limit: 20,
      offset: 0,
      has_more: total > 20,
    },
  };
};

const serverOfRequest = (): Server => {
  const server = new Server({ name: "peer", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    search(String(params.arguments?.query)),
  );
  return server;
};

const http = createServer(async (request, response) => {
  const server = serverOfRequest();
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on("close", () => void server.close());
  // The SDK's types are not made for `exactOptionalPropertyTypes`.
  await server.connect(transport as unknown as Transport);
  await transport.handleRequest(request, response);
});
http.listen(0, "127.0.0.1");
await once(http, "listening");
tellParent(http);
