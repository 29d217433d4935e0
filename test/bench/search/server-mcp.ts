import { serveTool } from "../serve-tool.ts";
import { readOrGenerateProducts } from "./corpus.ts";
import { toPeerDocument } from "./peer-document.ts";
import { miniSearch } from "./peers.ts";

/** A server of the MCP SDK with a search tool over MiniSearch and plain objects. Argument: number of products. */

const texts = readOrGenerateProducts(Number(process.argv[2]));
const engine = await miniSearch(texts);
const byId = new Map(texts.map((text) => [text.id, toPeerDocument(text)]));

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

await serveTool((args) => search(String(args?.query)));
