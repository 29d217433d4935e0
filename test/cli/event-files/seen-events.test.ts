import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openSeenEvents } from "../../../src/cli/event-files/seen-events.ts";

const test = suite("seen events");

const body = (text: string) => Buffer.from(text);

test("Each of many events is found again, with the place where it was first", () => {
  const seen = openSeenEvents();
  const count = 20_000;
  const placeOf = (at: number) => ({ line: at + 1, start: at * 1_000_003 });
  for (let at = 0; at < count; at += 1) {
    assert.is(seen.take(`/shop ${at}`, body(`${at}`), placeOf(at)), undefined);
  }
  const later = { line: count + 1, start: 0 };
  for (let at = 0; at < count; at += 1) {
    assert.is(seen.take(`/shop ${at}`, body(`${at}`), later), undefined);
    assert.equal(seen.take(`/shop ${at}`, body(`other ${at}`), later), placeOf(at));
  }
});

test("A place far behind in a file of more than 4 GiB is kept", () => {
  const seen = openSeenEvents();
  const place = { line: 4_000_000_000, start: 5 * 2 ** 40 + 7 };
  seen.take("/shop 1", body("one"), place);
  assert.equal(seen.take("/shop 1", body("two"), { line: 1, start: 0 }), place);
});

test.run();
