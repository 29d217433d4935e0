import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { lineKinds } from "../../../src/read-model/schema/lines.ts";
import {
  carrierUpserted,
  categoryUpserted,
  pageUpserted,
  productDeleted,
  productUpserted,
  settingsUpdated,
} from "../../helpers/events.ts";
import { openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { changesPath, type Page, readToClaim } from "../../spec/contract-11-feed.ts";
import { everyFactShop } from "../../spec/goods/every-fact.ts";

const test = suite<{ service: TestServer; pages: readonly Page[] }>("the feed in OpenAPI");

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema & { readonly properties?: object }>>;

type Example = { readonly content: { readonly "application/json": { readonly example: unknown } } };

const { components, paths } = JSON.parse(
  readFileSync(join(packageRoot, "schema", "openapi.json"), "utf8"),
) as {
  readonly components: {
    readonly schemas: Schemas;
    readonly parameters: { readonly Kinds: { readonly schema: Schema } };
  };
  readonly paths: {
    readonly [changesPath]: { readonly get: { readonly responses: Record<200 | 410, Example> } };
  };
};

/** Refuses members that the description does not have, so that a test finds them. */
const close = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== "object" || schema === null) return schema;
  const closed = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, close(value)]),
  );
  return "properties" in schema ? { ...closed, additionalProperties: false } : closed;
};

const compile = (name: string, schemas: unknown) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "openapi", components: { schemas } });
  return ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
};

const mustBe = (name: string, value: unknown, schemas: unknown = components.schemas): void => {
  const validate = compile(name, schemas);
  assert.ok(validate(value), `${name} ${JSON.stringify(validate.errors, null, 1)}`);
};

const nameOf = (kind: string): string => `${kind[0]?.toUpperCase()}${kind.slice(1)}Record`;

/** A shop with every member of every record, from which a product and a category are removed later. */
const shop = () => [
  ...everyFactShop,
  settingsUpdated({
    ...{ description: "Mugs.", freeShippingThreshold: { amount: "50.00", currency: "EUR" } },
    ...{ contact: { email: "a@shop.example", url: "https://shop.example/c" }, country: "DE" },
    ...{ taxIncluded: true, listPriceKind: "former", upcomingSales: "shown" },
    ...{ quantityVisible: "always", returns: { accepted: true, days: 30, fees: "free" } },
  }),
  pageUpserted({ id: 1, policy: "returns" }),
  carrierUpserted({ id: 1 }),
  categoryUpserted({ id: 1, parentId: 7, descriptionHtml: "<p>Small ones.</p>" }),
  productUpserted({
    ...{
      id: 9,
      media: [
        { type: "video", url: "https://shop.example/f", previewUrl: "https://shop.example/f.png" },
      ],
    },
    variants: [{ id: 1, images: [{ url: "/9.jpg" }] }],
  }),
];

test.before(async (context) => {
  const now = () => Date.parse("2026-11-25T20:00:00Z");
  context.service = await openTestServer({ now });
  context.service.apply(...shop());
  const start = await readToClaim(context.service, "start");
  context.service.apply(productDeleted(2), categoryUpserted({ id: 7, active: false }));
  const later = await readToClaim(context.service, start.last.next);
  context.pages = [...start.pages, ...later.pages];
});
test.after(({ service }) => service.close());

const upsertsOf = (pages: readonly Page[]) =>
  pages.flatMap(({ changes }) => changes.filter(({ op }) => op === "upsert"));

test("each page is as described", ({ pages }) => {
  for (const page of pages) mustBe("ChangesPage", page);
  const reasons = pages.flatMap(({ changes }) => changes.flatMap(({ reason }) => reason ?? []));
  assert.equal([...new Set(reasons)].sort(), ["deleted", "held_back", "hidden"]);
});

test("each record has the members of its kind, and no other", ({ pages }) => {
  const closed = close(components.schemas);
  for (const { kind, record } of upsertsOf(pages)) mustBe(nameOf(kind), record, closed);
});

test("every member that is described of a record is told", ({ pages }) => {
  for (const kind of lineKinds) {
    const records = upsertsOf(pages).flatMap((each) => (each.kind === kind ? [each.record] : []));
    const described = Object.keys(components.schemas[nameOf(kind)]?.properties ?? {});
    assert.ok(described.length > 0, kind);
    assert.equal(
      described.filter((name) => !records.some((record) => record && name in record)),
      [],
      kind,
    );
  }
});

test("the description is open to kinds and members that a client does not know", ({ pages }) => {
  const [page] = pages;
  const record = { name: "New", of: { any: "form" } };
  mustBe("ChangesPage", {
    ...{ ...page, added: 1 },
    changes: [
      { kind: "bundle", id: "7/a", op: "upsert", record, added: 1 },
      { kind: "bundle", id: "8", op: "remove", reason: "deleted" },
      { kind: "price", id: "1", op: "upsert", record: { price: null, added: [] } },
    ],
  });
});

test("a start over is as described, and so are the examples", async ({ service }) => {
  const gone = await service.get(`${changesPath}?since=000000000000-0000000000000001`);
  assert.is(gone.status, 410);
  mustBe("StartOver", await gone.json(), close(components.schemas));
  const { responses } = paths[changesPath].get;
  mustBe("ChangesPage", responses[200].content["application/json"].example);
  mustBe("StartOver", responses[410].content["application/json"].example);
});

test("the parameter kinds lists the kinds that are told", () => {
  assert.equal(components.parameters.Kinds.schema.items, { type: "string", enum: lineKinds });
});

test.run();
