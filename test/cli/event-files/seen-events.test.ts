import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openSeenEvents } from "../../../src/cli/event-files/identity-check.ts";

const test = suite("seen events");

const body = (text: string) => Buffer.from(text);

test("each of many events is found again, with the position where it was first", () => {
  const seen = openSeenEvents();
  const count = 20_000;
  const positionOf = (at: number) => ({ line: at + 1, start: at * 1_000_003 });
  for (let at = 0; at < count; at += 1) {
    assert.is(seen.take(`/shop ${at}`, body(`${at}`), positionOf(at)), undefined);
  }
  const later = { line: count + 1, start: 0 };
  for (let at = 0; at < count; at += 1) {
    assert.is(seen.take(`/shop ${at}`, body(`${at}`), later), undefined);
    assert.equal(seen.take(`/shop ${at}`, body(`other ${at}`), later), positionOf(at));
  }
});

test("a position far into a file of more than 4 GiB is stored", () => {
  const seen = openSeenEvents();
  const position = { line: 4_000_000_000, start: 5 * 2 ** 40 + 7 };
  seen.take("/shop 1", body("one"), position);
  assert.equal(seen.take("/shop 1", body("two"), { line: 1, start: 0 }), position);
});

test.run();
