import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { packageRoot } from "../../src/package-info.ts";
import { type UcpVersion, ucpPath, ucpVersions } from "../../src/surfaces/ucp/version.ts";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";
import type { TestServer } from "../helpers/test-server.ts";
import { euros } from "./goods/situations.ts";

/** What the tests of UCP share. */

const time = "2026-09-01T00:00:00Z";
/** In the sale of the jacket. */
export const noon = Date.parse("2026-11-28T12:00:00Z");

const options = (color: string, size: string) => [
  { name: "Color", value: color },
  { name: "Size", value: size },
];

export const ucpShop = (): readonly CloudEvent[] => [
  settingsUpdated(
    {
      ...{
        timeZone: "Europe/Berlin",
        listPriceKind: "former",
        country: "DE",
        lowStockThreshold: 3,
      },
      returns: { accepted: true, days: 30, fees: "free" },
    },
    { time },
  ),
  categoryUpserted({ id: 1, name: "Clothing" }, { time }),
  categoryUpserted({ id: 2, name: "Jackets", parentId: 1 }, { time }),
  categoryUpserted({ id: 3, name: "Lamps" }, { time }),
  pageUpserted({ id: 1, policy: "returns" }, { time }),
  pageUpserted({ id: 2, policy: "privacy" }, { time }),
  productUpserted(
    {
      ...{ id: 1300, name: "Rain jacket", brand: "Potter", categoryIds: [2] },
      ...{ price: euros("89.00"), tags: ["rain"] },
      descriptionHtml: `<p>${"Dry and warm. ".repeat(100)}</p>`,
      sales: [
        {
          price: euros("69.00"),
          from: "2026-11-27T00:00:00+01:00",
          to: "2026-11-30T00:00:00+01:00",
        },
      ],
      options: [
        { name: "Color", values: [{ value: "Red", id: "c1" }, "Blue"] },
        { name: "Size", values: ["S", "M"] },
      ],
      images: [{ url: "https://shop.example/a.jpg", alt: "Front" }],
      rating: { value: 4.3, count: 87 },
      warnings: [{ text: "Keep away from fire.", code: "fire" }],
      variants: [
        {
          id: 1,
          options: options("Red", "S"),
          sku: "RED-S",
          gtin: "4006381333931",
          price: euros("120.00"),
          listPrice: euros("150.00"),
        },
        { id: 2, options: options("Red", "M"), sku: "RED-M", gtin: "4006381333932" },
        { id: 3, options: options("Blue", "S"), price: euros("99.00") },
      ],
    },
    { time },
  ),
  stockChanged({ productId: 1300, variantId: 1, quantity: 0 }, { time }),
  stockChanged({ productId: 1300, variantId: 2, quantity: 3 }, { time }),
  stockChanged({ productId: 1300, variantId: 3, quantity: 3 }, { time }),
  productUpserted(
    {
      ...{
        id: 1400,
        name: "Oil lamp",
        categoryIds: [3],
        price: euros("12.9"),
        gtin: "036000291452",
      },
      unitPricing: { measure: { value: "750", unit: "ml" }, base: { value: "1", unit: "l" } },
      quantityRule: { min: 6, step: 6, max: 24 },
      minimumAge: 18,
      energyLabel: { class: "B", scale: ["A", "G"], labelUrl: "https://shop.example/label.png" },
      returns: { accepted: false },
    },
    { time },
  ),
  stockChanged(
    { productId: 1400, quantity: 0, availability: "backorder", availabilityDate: "2026-12-24" },
    { time },
  ),
  productUpserted({ id: 1500, name: "Free sample", price: null }, { time }),
  productUpserted({ id: 1600, name: "Odd lamp", price: euros("12.345") }, { time }),
  productUpserted({ id: 1700, name: "Yen lamp", price: euros("1500", "JPY") }, { time }),
];

export const agentProfile = { "ucp-agent": 'profile="https://agent.example/profile.json"' };

export interface UcpVariant {
  readonly id: string;
  readonly inputs?: readonly { readonly id: string; readonly match: string }[];
  readonly [member: string]: unknown;
}

export interface UcpProduct {
  readonly id: string;
  readonly variants: readonly UcpVariant[];
  readonly selected?: readonly { readonly name: string; readonly label: string }[];
  readonly [member: string]: unknown;
}

/** Any answer of UCP, and any refusal. */
export interface UcpBody {
  readonly ucp: {
    readonly version: string;
    readonly status?: string;
    readonly capabilities: object;
  };
  readonly products: readonly UcpProduct[];
  readonly product: UcpProduct;
  readonly pagination: {
    readonly has_next_page: boolean;
    readonly cursor?: string;
    readonly total_count: number;
  };
  readonly messages?: readonly {
    readonly type: string;
    readonly code: string;
    readonly content: string;
    readonly path?: string;
  }[];
  readonly policies?: readonly object[];
  readonly continue_url?: string;
  readonly code?: string;
  readonly content?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

type Operation = "search" | "lookup" | "product";
const tools = {
  search: "search_catalog",
  lookup: "lookup_catalog",
  product: "get_product",
} as const;

const schemas = Object.fromEntries(
  ucpVersions.map((version) => {
    const file = join(packageRoot, "schema", "ucp", `${version}.json`);
    const schema = { $id: version, ...JSON.parse(readFileSync(file, "utf8")) };
    return [version, new Ajv2020({ strict: true, allErrors: true }).addSchema(schema)];
  }),
);

/** Asserts that a body has a form of `schema/ucp`. */
export const assertForm = (version: UcpVersion, name: string, body: unknown): void => {
  const validate = schemas[version]?.getSchema(`${version}#/$defs/${name}`);
  assert.ok(
    validate?.(body),
    `${version} ${name}: ${JSON.stringify(validate?.errors?.slice(0, 3))}`,
  );
};

const formOf = (operation: Operation, body: UcpBody): string => {
  if (body.code !== undefined) return "refusal";
  if (body.ucp.status === "error") return "error";
  return operation === "product" ? "get_product" : operation;
};

export const postUcp = (
  service: TestServer,
  operation: string,
  body: unknown,
  headers: Record<string, string> = {},
  version: UcpVersion = "2026-08-25",
): Promise<Response> =>
  service.request(`${ucpPath(version)}/catalog/${operation}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...agentProfile, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** Calls an operation over REST and over MCP: both answers must be the same, and have the form of the schema. */
export const askUcp = async (
  service: TestServer,
  operation: Operation,
  request: object,
  version: UcpVersion = "2026-08-25",
): Promise<UcpBody> => {
  const response = await postUcp(service, operation, request, {}, version);
  const body = (await response.json()) as UcpBody;
  assertForm(version, formOf(operation, body), body);
  const called = await callUcp(service, tools[operation], { ...meta, catalog: request }, version);
  const rpc = (await called.json()) as {
    readonly result?: { readonly structuredContent: object; readonly content: [{ text: string }] };
    readonly error?: { readonly data: object };
  };
  assert.is(called.status, response.status);
  if (body.code !== undefined)
    assert.equal(rpc.error?.data, { code: body.code, content: body.content });
  else {
    assert.equal(rpc.result?.structuredContent, body);
    assert.equal(JSON.parse(rpc.result?.content[0].text ?? ""), body);
  }
  return body;
};

export const meta = { meta: { "ucp-agent": { profile: "https://agent.example/profile.json" } } };

export const callUcp = (
  service: TestServer,
  name: string,
  args: object,
  version: UcpVersion = "2026-08-25",
): Promise<Response> =>
  service.request(`${ucpPath(version)}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name, arguments: args },
    }),
  });
