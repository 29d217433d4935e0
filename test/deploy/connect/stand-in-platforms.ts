import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { packageRoot } from "../../../src/package-info.ts";
import { projection, uuid } from "../../connectors/commercetools/bodies.ts";
import { productBody as shopifyProduct, variantBody } from "../../connectors/shopify/bodies.ts";
import {
  parentBody,
  variationBody,
  productBody as wooProduct,
} from "../../connectors/woocommerce/bodies.ts";

/** The APIs that the first loads of the guides read, with two pages each, and a feed. */
export interface StandInPlatforms {
  readonly url: string;
  close(): void;
}

export const tokens = {
  SHOPIFY_TOKEN: "shopify-token",
  WOO_KEY: "ck_1:cs_1",
  CT_TOKEN: "ct-token",
};

interface Answer {
  readonly body: unknown;
  /** Address of the next page. */
  readonly next?: string;
}

export const startPlatforms = (): Promise<StandInPlatforms> =>
  new Promise((resolve) => {
    const server = createServer(answer);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ url: `http://127.0.0.1:${port}`, close: () => void server.close() });
    });
  });

const answer = (request: IncomingMessage, response: ServerResponse): void => {
  const url = `http://${request.headers.host}`;
  const address = new URL(request.url ?? "", url);
  if (address.pathname === "/feed.xml") return void response.end(readFeed());
  const found = apis.map((find) => find(request, address)).find(Boolean);
  if (!found) return void response.writeHead(404).end();
  const link = found.next && { link: `<${url}${found.next}>; rel="next"` };
  response.writeHead(200, { "content-type": "application/json", ...link });
  response.end(JSON.stringify(found.body));
};

const readFeed = (): string =>
  readFileSync(join(packageRoot, "test", "deploy", "connect", "exports", "feed.xml"), "utf8");

/** Finds the answer to a request with the right token. */
type Find = (request: IncomingMessage, address: URL) => Answer | undefined;

/** Pages are links. */
const fromShopify: Find = ({ headers }, { pathname, searchParams }) => {
  const path = "/admin/api/2026-07/products.json";
  if (pathname !== path || headers["x-shopify-access-token"] !== tokens.SHOPIFY_TOKEN)
    return undefined;
  if (searchParams.has("page_info"))
    return {
      body: {
        products: [
          shopifyProduct({ id: 8, handle: "mug", title: "Mug", variants: [otherVariant] }),
        ],
      },
    };
  return { body: { products: [shopifyProduct()] }, next: `${path}?limit=250&page_info=second` };
};

const otherVariant = variantBody({ id: 601, product_id: 8, inventory_item_id: 9101 });

/** Pages are numbers; the last one is empty. */
const fromWooCommerce: Find = ({ headers }, { pathname, searchParams }) => {
  const { type, parent_id, ...variation } = variationBody();
  const lists: Readonly<Record<string, readonly object[]>> = {
    "/wp-json/wc/v3/products": [wooProduct(), parentBody({ id: 8, variations: [501] })],
    "/wp-json/wc/v3/products/8/variations": [variation],
    "/wp-json/wc/v3/products/categories": [
      { id: 3, name: "Home", slug: "home", parent: 0, display: "default", count: 1 },
      { id: 9, name: "Kitchen", slug: "kitchen", parent: 3, display: "default", count: 1 },
    ],
  };
  const list = lists[pathname];
  const login = `Basic ${Buffer.from(tokens.WOO_KEY).toString("base64")}`;
  if (!list || headers.authorization !== login) return undefined;
  const at = Number(searchParams.get("page")) - 1;
  return { body: list.slice(at, at + 1) };
};

/** Pages are offsets. */
const fromProject: Find = ({ headers }, { pathname, searchParams }) => {
  const lastModifiedAt = "2026-10-01T08:00:00.000Z";
  const lists: Readonly<Record<string, object>> = {
    "/shop/product-projections": projection(),
    "/shop/inventory": { id: uuid(300), sku: "TEE-1", availableQuantity: 4, lastModifiedAt },
    "/shop/categories": {
      id: uuid(12),
      name: { de: "Hemden" },
      slug: { de: "hemden" },
      lastModifiedAt,
    },
  };
  const result = lists[pathname];
  if (!result || headers.authorization !== `Bearer ${tokens.CT_TOKEN}`) return undefined;
  return { body: { results: searchParams.get("offset") === "0" ? [result] : [] } };
};

const apis: readonly Find[] = [fromShopify, fromWooCommerce, fromProject];
