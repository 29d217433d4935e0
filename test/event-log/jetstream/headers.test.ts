import { headers } from "nats";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { lowerCasedHeaders } from "../../../src/event-log/jetstream/headers.ts";

const test = suite("headers of a message");

test("a header may have the name of a member of Object.prototype", () => {
  const sent = headers();
  for (const name of ["Constructor", "__proto__", "toString"]) sent.set(name, "value");
  const read = lowerCasedHeaders(sent);
  assert.equal(Object.entries(read).sort(), [
    ["__proto__", "value"],
    ["constructor", "value"],
    ["tostring", "value"],
  ]);
});

test("values of header names that differ only in case are joined", () => {
  const sent = headers();
  sent.append("Ce-Id", "1");
  sent.append("ce-id", "2");
  sent.append("ce-id", "3");
  assert.equal(lowerCasedHeaders(sent), { "ce-id": "1, 2, 3" });
  assert.equal(lowerCasedHeaders(undefined), {});
});

test.run();
