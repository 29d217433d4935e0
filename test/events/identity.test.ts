import { suite } from "uvu";
import * as assert from "uvu/assert";
import { messageIdOf } from "../../src/events/envelope.ts";

const test = suite("event identity");

test("a message id is the source and the id, when a header can carry them", () => {
  assert.is(messageIdOf({ source: "/shops/main", id: "4711-7" }), "/shops/main 4711-7");
  const longest = "x".repeat(250 - "/shops/main ".length);
  assert.is(messageIdOf({ source: "/shops/main", id: longest }), `/shops/main ${longest}`);
});

test("any other message id is the digest that the contract names", () => {
  const digest = messageIdOf({ source: "/shops/main", id: "order 7" });
  assert.is(digest, "sha256:4619b717de0870adf36c66ce98515b1b41b7cf87439cee33598cf0a29be6eb86");
  for (const id of ["é", " ", "x".repeat(1024), "a\u2028b", "\u{1f375}".repeat(1024)]) {
    assert.match(messageIdOf({ source: `/${"s".repeat(499)}`, id }), /^sha256:[0-9a-f]{64}$/);
  }
});

test("two events whose source or id differs have different message ids", () => {
  const pairs = [
    ["/a", "1"],
    ["/b", "1"],
    ["/a", "2"],
    ["/a", " 1"],
    ["/a", "1 "],
    ["/a", "b c"],
    ["/a", "b  c"],
  ] as const;
  const ids = new Set(pairs.map(([source, id]) => messageIdOf({ source, id })));
  assert.is(ids.size, pairs.length);
});

test.run();
