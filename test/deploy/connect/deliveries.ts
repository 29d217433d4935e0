import { published } from "../../connectors/commercetools/bodies.ts";
import { productBody as shopifyProduct } from "../../connectors/shopify/bodies.ts";
import { productBody as wooProduct } from "../../connectors/woocommerce/bodies.ts";
import { sign } from "../../helpers/gateway.ts";
import { secrets } from "./guides.ts";

export interface SignedDelivery {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const json = { "content-type": "application/json" };

/** A delivery to a connection of each guide, signed as its platform does. @param round makes another one */
export const signedDeliveries = (round: number): readonly SignedDelivery[] => {
  const [shopify, woo, project] = [
    shopifyProduct({ title: `Tee ${round}`, updated_at: timeOf(round) }),
    wooProduct({ name: `Mug ${round}`, date_modified_gmt: timeOf(round).slice(0, 19) }),
    published(round, { name: { de: `Hemd ${round}` } }),
  ].map((body) => JSON.stringify(body)) as [string, string, string];
  return [
    {
      path: "/connections/main",
      headers: {
        ...json,
        "x-shopify-topic": "products/update",
        "x-shopify-hmac-sha256": sign(shopify, secrets["SHOPIFY_SECRET"]),
      },
      body: shopify,
    },
    {
      path: "/connections/woo",
      headers: {
        ...json,
        "x-wc-webhook-topic": "product.updated",
        "x-wc-webhook-signature": sign(woo, secrets["WOO_SECRET"]),
      },
      body: woo,
    },
    {
      path: "/connections/ct",
      headers: { ...json, authorization: `Bearer ${secrets["CT_SECRET"]}` },
      body: project,
    },
  ];
};

const timeOf = (round: number): string =>
  new Date(Date.UTC(2026, 9, 2, 8, round)).toISOString().replace(".000", "");
