import { serveTool } from "../serve-tool.ts";
import { textsOf } from "./corpus.ts";
import { miniSearch } from "./peers.ts";
import { shownOf } from "./shown.ts";

/** A search tool of the SDK's own server, with MiniSearch and plain objects. Argument: products. */

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

await serveTool((given) => search(String(given?.query)));
