import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UnusableFileError } from "../../../src/connectors/files/items.ts";
import { readJson } from "../../../src/connectors/files/json.ts";
import { inChunks } from "./read.ts";

const test = suite("connectors/files/json");

const read = async (text: string) => {
  const items = [];
  const topicOf = (body: object) => ("id" in body ? "product" : undefined);
  for await (const item of readJson(inChunks(text, 5), topicOf)) items.push(item);
  return items.map((item) =>
    "reason" in item ? [item.line, item.column, item.reason] : [item.line, item.path, item.body],
  );
};

const noBody = "is no body of the connection's platform";

test("bodies come one a line, in a list, and in lists of an object", async () => {
  assert.equal(await read('\ufeff{"id":1}\r\n\n{"id":2}'), [
    [1, "", { id: 1 }],
    [3, "", { id: 2 }],
  ]);
  const list = [
    [1, "[0]", { id: 1 }],
    [1, "[1]", { id: 2 }],
  ];
  assert.equal(await read('[{"id":1},{"id":2}]'), list);
  assert.equal(await read('[\n {"id": 1},\n {"id": 2}\n]\n'), list);
  assert.equal(
    await read('{"products":[{"id":1}],"next":"x","variants":[{"id":2}]}\n{"products":[{"id":3}]}'),
    [
      [1, "products[0]", { id: 1 }],
      [1, "variants[0]", { id: 2 }],
      [2, "products[0]", { id: 3 }],
    ],
  );
  assert.equal(await read('{"products":[]}'), []);
});

test("numbers keep their digits", async () => {
  assert.equal(await read('{"id":12345678901234567890,"price":19.90}'), [
    [1, "", { id: "12345678901234567890", price: "19.90" }],
  ]);
});

test("what is no body is named", async () => {
  assert.equal(await read('{"id":1}\nnull\nno\n[[],{"name":1}]\n{"id":2}'), [
    [1, "", { id: 1 }],
    [2, null, noBody],
    [3, null, "is no JSON"],
    [4, "[0]", noBody],
    [4, "[1]", noBody],
    [5, "", { id: 2 }],
  ]);
});

test("a file that is cut, or no JSON, is refused", async () => {
  for (const text of ['{"id":1}\n{"id":2', '[\n{"id":1},\n', "<html>", '{"id":1}\n{"id":2}\n[']) {
    let thrown: unknown;
    await read(text).catch((error: unknown) => {
      thrown = error;
    });
    assert.instance(thrown, UnusableFileError, text);
  }
});

test("an empty file has no bodies", async () => assert.equal(await read(" \n\n"), []));

test.run();
