import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readTraceContext } from "../../src/http/exchange.ts";

const test = suite("traceparent");

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";

const read = (traceparent: string | undefined) => readTraceContext({ headers: { traceparent } });

test("a valid header names the trace, the parent and whether the client records it", () => {
  assert.equal(read(`00-${traceId}-${parentId}-01`), { traceId, parentId, isSampled: true });
  assert.equal(read(`00-${traceId}-${parentId}-00`), { traceId, parentId, isSampled: false });
  assert.equal(read(`01-${traceId}-${parentId}-03-more`), { traceId, parentId, isSampled: true });
});

test("an absent or malformed header is ignored", () => {
  for (const header of [
    undefined,
    "",
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${"0".repeat(32)}-${parentId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId}-${parentId}`,
    "nonsense",
  ])
    assert.is(read(header), undefined, header);
});

test.run();
