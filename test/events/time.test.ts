import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compareTimes, formatEventTime, readTime } from "../../src/events/time.ts";

const test = suite("event time");

const read = (text: string) => {
  const time = readTime(text);
  assert.ok(time, text);
  return time;
};

test("a time keeps every digit after the millisecond, without trailing zeros", () => {
  const second = Date.UTC(2026, 10, 20, 10);
  const of = (fraction: string) => read(`2026-11-20T10:00:00${fraction}Z`);
  assert.equal(of(""), { time: second });
  assert.equal(of(".5"), { time: second + 500 });
  assert.equal(of(".123"), { time: second + 123 });
  assert.equal(of(".123000"), { time: second + 123 });
  assert.equal(of(".123900"), { time: second + 123, subMillis: "9" });
  assert.equal(of(".9999999"), { time: second + 999, subMillis: "9999" });
  assert.equal(of(".000001"), { time: second, subMillis: "001" });
});

test("a time with an offset, small letters or a leap second keeps its digits", () => {
  assert.equal(read("2026-11-20T12:00:00.123456+02:00"), read("2026-11-20T10:00:00.123456Z"));
  assert.equal(read("2026-11-20t10:00:00.123456z"), read("2026-11-20T10:00:00.123456Z"));
  assert.equal(read("2016-12-31T23:59:60.123456Z"), read("2016-12-31T23:59:59.123456Z"));
  assert.is(readTime("no time"), undefined);
});

test("two times compare like their decimal fractions, whatever their number of digits", () => {
  const fraction = fc.stringMatching(/^\d{1,24}$/);
  const second = fc.integer({ min: 0, max: 2 });
  fc.assert(
    fc.property(second, fraction, second, fraction, (oneSecond, one, otherSecond, other) => {
      const exact = (milliseconds: number, digits: string) =>
        BigInt(milliseconds) * 10n ** 24n + BigInt(digits.padEnd(24, "0"));
      const difference = exact(oneSecond, one) - exact(otherSecond, other);
      const [left, right] = [
        read(`2026-11-20T10:00:0${oneSecond}.${one}Z`),
        read(`2026-11-20T10:00:0${otherSecond}.${other}Z`),
      ];
      const wanted = difference === 0n ? 0 : difference < 0n ? -1 : 1;
      assert.is(Math.sign(compareTimes(left, right)), wanted);
      assert.equal(read(formatEventTime(left)), left);
    }),
    { numRuns: 2_000 },
  );
});

test("a time is formatted with milliseconds and every digit after them", () => {
  for (const text of ["2026-11-20T10:00:00.120Z", "2026-11-20T10:00:00.1239Z"]) {
    assert.is(formatEventTime(read(text)), text);
  }
});

test.run();
