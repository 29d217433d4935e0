import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import type { Reader } from "../../../src/read-model/reader/reader.ts";
import { categoryUpserted, productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";
import { open, type TestApp } from "../test-app.ts";

/** Records the names of the reads from a snapshot. */
const recording = (reader: Reader, readNames: Set<string>): Reader => ({
  position: reader.position,
  scanPages: reader.scanPages,
  snapshot: (read) =>
    reader.snapshot((snapshot, footprint) =>
      read(
        new Proxy(snapshot, {
          get(target, name, receiver) {
            readNames.add(String(name));
            return Reflect.get(target, name, receiver);
          },
        }),
        footprint,
      ),
    ),
});

/** Reads that only the rendering of a page does. */
const rendering = ["relatedProducts", "categoryDetail", "categoryProducts", "carriers"];

const pages = ["/products/1", "/categories/1", "/categories/1?after=MQ", "/en/"];

const test = suite<{ model: TestModel; testApp: TestApp; readNames: Set<string> }>(
  "rendering of pages",
);

test.before(async (context) => {
  context.model = openModel();
  context.model.apply(
    settingsUpdated({ url: "https://shop.example/en/" }),
    categoryUpserted({ id: 1 }),
    productUpserted({ id: 1, categoryIds: [1] }),
  );
  context.readNames = new Set();
  const reader = recording(openReader(context.model.store), context.readNames);
  context.testApp = await open({}, { reader: () => reader });
});
test.after(async ({ model, testApp }) => {
  await testApp.close();
  await model.close();
});

const refused: readonly (readonly [what: string, status: number, options: RequestInit])[] = [
  ["a method that is not allowed", 405, { method: "POST", headers: { accept: "text/markdown" } }],
  ["OPTIONS", 405, { method: "OPTIONS", headers: { accept: "text/markdown" } }],
  [
    "a preflight",
    204,
    {
      method: "OPTIONS",
      headers: {
        accept: "text/markdown",
        origin: "https://a.example",
        "access-control-request-method": "GET",
      },
    },
  ],
  ["a page requested as HTML", 406, { headers: { accept: "text/html" } }],
  ["its head", 406, { method: "HEAD", headers: { accept: "text/html" } }],
];

for (const [what, status, options] of refused) {
  test(`${what} is answered ${status} without rendering the page`, async ({
    testApp,
    readNames,
  }) => {
    for (const path of pages) {
      readNames.clear();
      const response = await fetch(testApp.url + path, options);
      assert.is(response.status, status, path);
      assert.equal(
        rendering.filter((name) => readNames.has(name)),
        [],
        path,
      );
    }
  });
}

test("a page that is requested as Markdown is rendered", async ({ testApp, readNames }) => {
  for (const path of ["/products/1", "/categories/1", "/en/"]) {
    readNames.clear();
    const response = await fetch(testApp.url + path, { headers: { accept: "text/markdown" } });
    assert.is(response.status, 200, path);
    assert.ok(
      rendering.some((name) => readNames.has(name)),
      path,
    );
  }
});

test("a page that is requested as HTML names the same links as the Markdown page", async ({
  testApp,
}) => {
  for (const path of ["/products/1", "/categories/1", "/en/"]) {
    const linksFor = async (accept: string) => {
      const response = await fetch(testApp.url + path, { headers: { accept } });
      return response.headers.get("link");
    };
    assert.ok(await linksFor("text/html"));
    assert.is(await linksFor("text/html"), await linksFor("text/markdown"), path);
  }
});

test.run();
