/** The tools of both endpoints, with arguments for a call of each. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { bearer, tokenFor, toolsUrl } from "../services.ts";

export interface Endpoint {
  readonly url: string;
  /** Arguments by the names of the tools. */
  readonly tools: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Ids are those of the demo shop. */
export const endpoints: readonly Endpoint[] = [
  {
    url: toolsUrl,
    tools: {
      search_products: { query: "leather backpack", with_facets: true },
      get_product: { product_id: 1006 },
      list_categories: {},
      check_availability: { product_ids: [1006, 99_999_999] },
      get_shipping_options: { country_code: "DE" },
      get_policies: { topic: "returns" },
      create_checkout_link: { items: [{ product_id: 1006, quantity: 2 }] },
    },
  },
  {
    url: `${toolsUrl}/research`,
    tools: { search: { query: "leather backpack" }, fetch: { id: "product:1006" } },
  },
];

export const requestInit = { headers: bearer(tokenFor("converters")) };

export const connect = async ({ url }: Endpoint): Promise<Client> => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
};
