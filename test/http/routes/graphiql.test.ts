import { suite } from "uvu";
import * as assert from "uvu/assert";
import { open } from "../test-app.ts";

const test = suite("graphiql");

const asBrowser = {
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
};

test("contract §4: a browser that opens /graphql gets GraphiQL, with files of this server only", async () => {
  const testApp = await open();
  try {
    const page = await fetch(`${testApp.url}/graphql`, { headers: asBrowser });
    const html = await page.text();
    assert.is(page.status, 200);
    assert.match(page.headers.get("content-type") ?? "", "text/html");
    assert.match(page.headers.get("vary") ?? "", "Accept");
    assert.match(page.headers.get("content-security-policy") ?? "", "default-src 'none'");
    assert.not.match(html, /https?:\/\//);
    const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? "");
    assert.is(files.length, 5);
    for (const path of files) {
      const file = await fetch(new URL(path, testApp.url));
      assert.is(file.status, 200, path);
      assert.match(
        file.headers.get("content-type") ?? "",
        path.endsWith("css") ? "css" : "javascript",
      );
      assert.ok((await file.arrayBuffer()).byteLength > 100, path);
    }
  } finally {
    await testApp.close();
  }
});

test("contract §4: any other GET of /graphql without an operation is 405 with Allow: POST", async () => {
  const testApp = await open();
  try {
    for (const accept of ["*/*", "application/json", "text/html;q=0.1, application/json"]) {
      const answer = await fetch(`${testApp.url}/graphql?a=b`, {
        headers: { Accept: accept },
      });
      assert.is(answer.status, 405, accept);
      assert.is(answer.headers.get("allow"), "POST");
      await answer.arrayBuffer();
    }
  } finally {
    await testApp.close();
  }
});

test.run();
