import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createResponseCache } from "../../../src/http/cache/response-cache.ts";
import { createCommitTimer } from "../../../src/http/feed/commit-timer.ts";
import { createFollowers } from "../../../src/http/feed/followers.ts";
import { createCompression } from "../../../src/http/representation/compression.ts";
import { createSurfaces, routeTable } from "../../../src/http/route-table.ts";
import { createWorkQueue } from "../../../src/http/scheduling/work-queue.ts";
import { createLogger } from "../../../src/log.ts";
import { packageRoot } from "../../../src/package-info.ts";
import type { RegistrationMode } from "../../../src/surfaces/access/registration.ts";
import { openAccess } from "../../helpers/access.ts";
import { pageUpserted, settingsUpdated } from "../../helpers/events.ts";
import { baseUrl, openTestServer } from "../../helpers/test-server.ts";

const test = suite("the OpenAPI description");

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const documentOf = async (registration: RegistrationMode): Promise<OpenApi> => {
  const service = await openTestServer({ registration });
  const response = await service.get("/openapi.json");
  const document = (await response.json()) as OpenApi;
  await service.close();
  return document;
};

const rowsOf = (registration: RegistrationMode) =>
  routeTable({
    site: { baseUrl, registration, toolsAccess: "token" },
    access: openAccess(registration),
    limit: 100,
    allowedOrigins: [],
    surfaces: createSurfaces({
      baseUrl,
      log: createLogger("silent", "test"),
      onFallback: () => {},
    }),
    queue: createWorkQueue(),
    cache: createResponseCache(),
    compress: createCompression(),
    feed: {
      followers: createFollowers({
        reader: () => undefined,
        timer: createCommitTimer(),
        maxFollowers: 1,
        log: createLogger("silent", "test"),
      }),
      reachPosition: (_exchange, _required, answer) => answer(),
    },
  })
    // The files of GraphiQL are not part of the API; UCP has a description of its own, in `schema/ucp`.
    .filter(({ name, path }) => name !== "graphiql" && !path.split("/").includes("ucp"));

/** Pages are found by the shop's own URLs, so the route table has no row for them. */
const pages = ["/{page}", "/{page}.md"];

const fits = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`).test(path);

const answersOf = (operation: unknown): readonly string[] =>
  Object.keys((operation as { responses: object }).responses);

for (const registration of ["open", "closed"] as const) {
  test(`the document is valid by the official schema of OpenAPI 3.1 (${registration})`, async () => {
    const document = await documentOf(registration);
    assert.is(document.openapi.slice(0, 4), "3.1.");
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.stringify(document, null, 2));
    assert.ok(valid, JSON.stringify(errors, null, 1));
  });

  test(`the document describes every route (${registration})`, async () => {
    const { paths } = await documentOf(registration);
    const templates = Object.keys(paths).filter((template) => !pages.includes(template));
    for (const { path, methods } of rowsOf(registration)) {
      const template = templates.find((each) => fits(each, path.replace(/:(\w+)/g, "$1")));
      assert.ok(template, `${path} is not described`);
      for (const method of methods.filter((each) => each !== "HEAD")) {
        assert.ok(paths[template]?.[method.toLowerCase()], `${method} ${path} is not described`);
      }
    }
  });

  test(`contract §8: the document has at most 30 operations, and none for HEAD (${registration})`, async () => {
    const { paths } = await documentOf(registration);
    const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];
    const operations = Object.values(paths).flatMap((entry) =>
      Object.keys(entry).filter((key) => methods.includes(key)),
    );
    assert.ok(operations.length > 20 && operations.length <= 30, String(operations.length));
    assert.not.ok(operations.includes("head"));
    for (const [template, { get }] of Object.entries(paths))
      if (get) assert.ok(answersOf(get).includes("400"), template);
  });

  test(`the document describes no route that does not exist (${registration})`, async () => {
    const { paths } = await documentOf(registration);
    const rows = rowsOf(registration);
    for (const [template, operations] of Object.entries(paths)) {
      if (pages.includes(template)) continue;
      const row = rows.find(({ path }) => fits(template, path.replace(/:(\w+)/g, "$1")));
      assert.ok(row, `${template} is described, but nothing answers there`);
      for (const method of ["get", "head", "post", "put", "patch", "delete"] as const) {
        if (!(method in operations)) continue;
        const methods = [...row.methods, ...(row.reads ? ["GET", "HEAD"] : [])];
        const isServed = methods.some((each) => each.toLowerCase() === method);
        assert.ok(isServed, `${method} ${template} is described, but not served`);
      }
    }
  });
}

test("the document describes pages as they are answered", async () => {
  const service = await openTestServer();
  service.apply(settingsUpdated(), pageUpserted());
  const markdown = { accept: "text/markdown" };
  assert.is((await service.get("/pages/1", markdown)).status, 200);
  assert.is((await service.get("/pages/1.md")).status, 200);
  assert.is((await service.get("/pages/1", { accept: "text/html" })).status, 406);
  assert.is((await service.get("/pages/2.md")).status, 404);
  await service.close();
});

test("the document has registration only where it is open", async () => {
  assert.ok("/v1/register" in (await documentOf("open")).paths);
  const closed = JSON.stringify(await documentOf("closed"));
  assert.not.match(closed, /register|x-registration/i);
});

test("every reference in the document resolves", () => {
  const text = readFileSync(join(packageRoot, "schema", "openapi.json"), "utf8");
  const document = JSON.parse(text);
  const references = [...text.matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, path]) => path ?? "");
  assert.ok(references.length > 20);
  for (const path of references) {
    const target = path.split("/").reduce((node, step) => node?.[step], document);
    assert.ok(target, path);
  }
});

test.run();
