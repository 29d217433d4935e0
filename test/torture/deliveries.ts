/** Valid deliveries of each platform, from which hostile ones are derived. */
import type { Chance } from "../bench/seeded.ts";
import * as commercetools from "../connectors/commercetools/bodies.ts";
import { levelBody, productBody } from "../connectors/shopify/bodies.ts";
import * as woocommerce from "../connectors/woocommerce/bodies.ts";
import { sign } from "../helpers/gateway.ts";
import { json, type Request } from "../helpers/wire.ts";
import { hostileValues, mutated } from "./mutate.ts";

/** Secret of each connection, by the variable that has it. */
export const secrets = {
  SHOPIFY_SECRET: "a secret of Shopify's",
  WOO_SECRET: "a secret of WooCommerce's",
  CT_SECRET: "a-secret-of-commercetools",
};

const shop = { url: "https://shop.example", currency: "EUR", timeZone: "Europe/Berlin" };

export const connections = {
  main: { platform: "shopify", ...shop, locations: 1, secret: { env: "SHOPIFY_SECRET" } },
  woo: { platform: "woocommerce", ...shop, secret: { env: "WOO_SECRET" } },
  ct: {
    ...{ platform: "commercetools", ...shop, productUrl: "https://shop.example/p/{slug}" },
    ...{ categoryUrl: "https://shop.example/c/{slug}", secret: { env: "CT_SECRET" } },
  },
};

const delivery = (name: string, body: unknown, headers: Request["headers"] = []): Request =>
  signed({
    ...{ method: "POST", target: `/connections/${name}` },
    headers: [["Content-Type", "application/json"], ...headers],
    body: json(body),
  });

/** Replaces the signature of a delivery by the right one for its body. */
export const signed = (request: Request): Request => {
  const [name, value] = signatureOf(request);
  const others = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: [...others, [name, value]] };
};

const signatureOf = ({ target, body }: Request): readonly [name: string, value: string] => {
  if (target.startsWith("/connections/woo"))
    return ["X-WC-Webhook-Signature", sign(body, secrets.WOO_SECRET)];
  if (target.startsWith("/connections/ct")) return ["Authorization", `Bearer ${secrets.CT_SECRET}`];
  return ["X-Shopify-Hmac-SHA256", sign(body, secrets.SHOPIFY_SECRET)];
};

const shopify = (topic: string, body: unknown): Request =>
  delivery("main", body, [["X-Shopify-Topic", topic]]);

const woo = (topic: string, body: unknown): Request =>
  delivery("woo", body, [["X-WC-Webhook-Topic", topic]]);

/** A delivery of each kind. */
export const goodDeliveries = (): readonly Request[] => [
  shopify("products/update", productBody()),
  shopify("products/create", productBody({ id: "788032119674292922", handle: "other" })),
  shopify("products/delete", { id: 8 }),
  shopify("inventory_levels/update", levelBody()),
  shopify("inventory_items/update", { id: 9001, tracked: true, updated_at: null }),
  shopify("shop/update", { id: 548, currency: "EUR", updated_at: null }),
  shopify("orders/create", { id: 820, email: "jon@example.com" }),
  woo("product.updated", woocommerce.productBody()),
  woo("product.created", woocommerce.parentBody({ id: 8 })),
  woo("product.updated", woocommerce.variationBody({ parent_id: 8 })),
  woo("product.deleted", { id: 9 }),
  delivery("ct", commercetools.published(1)),
  delivery("ct", { specversion: "1.0", data: commercetools.published(2) }),
  delivery("ct", commercetools.entryCreated(3, 5)),
  delivery("ct", commercetools.resourceDeleted(5, "product", commercetools.productId)),
  delivery("ct", commercetools.categoryCreated(6)),
];

/** A body whose time is that of a turn, so that it is not older than the bodies before. */
export const atTurn = (request: Request, turn: number): Request => {
  const text = request.body.toString();
  const time = new Date(Date.UTC(2026, 9, 1) + turn * 1_000).toISOString().slice(0, 19);
  return {
    ...request,
    body: Buffer.from(text.replaceAll(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d/g, time)),
  };
};

type Change = (request: Request, chance: Chance) => Request;

const randomBody: Change = (request, { below }) => ({
  ...request,
  body: Buffer.from(Array.from({ length: 1 + below(3_000) }, () => below(256))),
});

/** Nests the value of one member. */
const nestMember: Change = (request, { below, pick }) => {
  const depth = 10 ** (1 + below(4));
  const [open, close] = pick([
    ["[", "]"],
    ['{"a":', "}"],
  ] as const);
  const members = [...request.body.toString().matchAll(/":/g)].map(({ index }) => index + 2);
  if (members.length === 0) return request;
  const [at, text] = [pick(members), request.body.toString()];
  const value = `${open.repeat(depth)}1${close.repeat(depth)}`;
  return { ...request, body: Buffer.from(`${text.slice(0, at)}${value},"x":${text.slice(at)}`) };
};

/** Repeats a member of a list or an object many times. */
const swell: Change = (request, { below, pick }) => {
  const body: unknown = JSON.parse(request.body.toString());
  const lists = Object.values(Object(body)).filter(Array.isArray);
  const list: unknown[] = lists.length > 0 ? pick(lists) : [];
  const value = list.length > 0 ? pick(list) : pick(hostileValues);
  for (let left = 10 ** below(4); left > 0; left -= 1) list.push(value);
  return { ...request, body: json(body) };
};

const hugeHeader: Change = (request, { below, pick }) => {
  const name = pick([
    "X-Shopify-Topic",
    "X-Shopify-Webhook-Id",
    "X-Shopify-Odd",
    "X-WC-Webhook-Odd",
  ]);
  return { ...request, headers: [...request.headers, [name, "x".repeat(10 ** (1 + below(5)))]] };
};

const changeLength: Change = (request, { pick }) => ({
  ...request,
  headers: [
    ...request.headers,
    [
      "Content-Length",
      pick(["8388608", "8388608", "8388608", "8388609", "99999999999", "-1", "1", "x", "0"]),
    ],
  ],
});

const changeName: Change = (request, { pick }) => ({
  ...request,
  target: pick([
    "/connections/",
    "/connections/MAIN",
    "/connections/main/..",
    "/connections/none",
    "/",
  ]),
});

const changeForm: Change = (request, { pick }) => ({
  ...request,
  headers: [["Content-Type", "application/x-www-form-urlencoded"]],
  body: Buffer.from(pick(["webhook_id=1", "webhook_id=", `webhook_id=${"9".repeat(21)}`, "a=b"])),
});

const changes: readonly Change[] = [
  ...[mutated, mutated, mutated, mutated, mutated, mutated],
  ...[randomBody, nestMember, nestMember, swell, swell],
  ...[hugeHeader, changeLength, changeName, changeForm],
];

/** Makes a delivery hostile; most keep a right signature. */
export const hostileDelivery = (good: Request, turn: number, chance: Chance): Request => {
  const changed = chance.pick(changes)(atTurn(good, turn), chance);
  const address = `10.0.${chance.below(256)}.${chance.below(256)}`;
  const request = chance.below(5) > 0 ? signed(changed) : changed;
  // A client has 60 wrong signatures a minute.
  return { ...request, headers: [...request.headers, ["X-Forwarded-For", address]] };
};
