import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseEventTime } from "../../../src/cli/terminal/read-event-time.ts";
import { VitrineError } from "../../../src/errors.ts";

const test = suite("times in flags");

const read = (text: string) => parseEventTime(text, "--taken");
const expected = Date.UTC(2026, 9, 1, 8, 0);

test("every form of RFC 3339 and ISO 8601 with an offset is accepted", () => {
  for (const text of [
    "2026-10-01T08:00:00Z",
    "2026-10-01t08:00:00z",
    "2026-10-01 08:00:00Z",
    "2026-10-01 08:00Z",
    "2026-10-01T08:00Z",
    "2026-10-01T08:00z",
    "2026-10-01T10:00+02:00",
    "2026-10-01 03:00:00-05:00",
    "2026-10-01T08:00:00.000000Z",
  ]) {
    assert.equal(read(text), { time: expected }, text);
  }
  assert.equal(read("2026-10-01T08:00:00.123987Z"), { time: expected + 123, subMillis: "987" });
});

test("a time without an offset, or an impossible one, is rejected with the flag and an example", () => {
  for (const text of [
    "yesterday",
    "2026-10-01",
    "2026-10-01T08:00:00",
    "01/10/2026 08:00Z",
    "2026-13-01T08:00:00Z",
    "2026-02-30T08:00:00Z",
    "2026-10-01T25:00:00Z",
    "2026-10-01T08:00:00+25:00",
    "1790841600",
  ]) {
    try {
      read(text);
      assert.unreachable(text);
    } catch (error) {
      assert.instance(error, VitrineError);
      const { code, message } = error as VitrineError;
      assert.is(code, "usage");
      assert.match(message, `--taken ${text}: give a time with its offset from UTC`);
      assert.match(message, "such as 2026-10-01T08:00:00Z or 2026-10-01T10:00:00+02:00");
    }
  }
});

test.run();
