import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fromFile, Parser } from "@asyncapi/parser";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";

const test = suite("schema/asyncapi.yaml");
const path = join(packageRoot, "schema", "asyncapi.yaml");

/**
 * Advice about newer versions of AsyncAPI, which changes with releases of the parser and not with the
 * document.
 */
const advice = ["asyncapi-latest-version"];

const faultsOf = (found: readonly { code: string | number; message: string }[]) =>
  found
    .filter(({ code }) => !advice.includes(String(code)))
    .map(({ code, message }) => `${code}: ${message}`);

test("asyncapi.yaml and the files it refers to are valid by the official parser", async () => {
  const { document, diagnostics } = await fromFile(new Parser(), path).parse();
  assert.equal(faultsOf(diagnostics), []);
  assert.ok(document, "it was parsed");
  assert.ok(document.allMessages().length > 10);
  for (const message of document.allMessages()) assert.ok(message.payload(), message.id());
});

test("the parser rejects a missing message and a misspelt key", async () => {
  const text = readFileSync(path, "utf8");
  for (const broken of [
    text.replace("components/messages/shop.stock.changed", "components/messages/shop.stock.moved"),
    text.replace("address: shop.settings", "adress: shop.settings"),
  ]) {
    assert.is.not(broken, text);
    const { diagnostics } = await new Parser().parse(broken, { source: path });
    assert.is.not(faultsOf(diagnostics).length, 0);
  }
});

test.run();
