import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { allocateIds } from "../../../../src/read-model/search/postings/doc-ids.ts";
import {
  type PackedList,
  packList,
} from "../../../../src/read-model/search/postings/packed-list.ts";

const test = suite("packed lists");

/** Ids with a given mean distance; each encoding of positions is the smallest for some of them. */
const lists = fc
  .record({
    distance: fc.constantFrom(1, 2, 7, 12, 40, 90, 300, 5_000, 70_000, 2 ** 22),
    steps: fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 400 }),
    payloads: fc.array(fc.integer({ min: 1, max: 0x7fff }), { minLength: 1, maxLength: 300 }),
  })
  .map(({ distance, steps, payloads }) => {
    let last = 0;
    return steps.map((step, at) => {
      last += Math.max(1, Math.round((step / 500) * distance));
      return [last, payloads[at % payloads.length] as number] as const;
    });
  });

const packedOf = (list: readonly (readonly [number, number])[]): PackedList => {
  const ids = allocateIds(list.length, list.at(-1)?.[0] ?? 0);
  ids.set(list.map(([id]) => id));
  return packList({ ids, payloads: Uint32Array.from(list, ([, payload]) => payload) });
};

test("a packed list reads back the same, as a whole and id by id", () => {
  fc.assert(
    fc.property(lists, fc.array(fc.nat({ max: 400 }), { maxLength: 60 }), (list, near) => {
      const packed = packedOf(list);
      const { ids, payloads } = packed.all();
      assert.equal(
        [...ids].map((id, at) => [id, payloads[at]]),
        list,
      );
      const expected = new Map(list);
      const wanted = [
        ...new Set(
          near.flatMap((at) => {
            const id = list[at % list.length]?.[0] ?? 1;
            return [id - 1, id, id + 1];
          }),
        ),
      ].sort((a, b) => a - b);
      const wantedIds = allocateIds(wanted.length, wanted.at(-1) ?? 0);
      wantedIds.set(wanted);
      assert.equal(
        [...packed.at(wantedIds)],
        wanted.map((id) => expected.get(id) ?? 0),
      );
      const found = packed.intersect(wantedIds);
      const matched = wanted.flatMap((id, at) =>
        expected.has(id) ? [[at, expected.get(id)]] : [],
      );
      assert.equal(
        [...found.indexes].map((at, n) => [at, found.payloads[n]]),
        matched,
      );
    }),
    { numRuns: 300 },
  );
});

test("payloads too rare for a code are found like others", () => {
  // 300 payloads, of which 255 get a code; each block of 256 positions has some without.
  const list = Array.from({ length: 3_000 }, (_, at) => [at + 1, 1 + (at % 300)] as const);
  const packed = packedOf(list);
  const { ids, payloads } = packed.all();
  assert.equal(
    [...ids].map((id, at) => [id, payloads[at]]),
    list,
  );
  assert.equal([...packed.at(ids)], [...payloads]);
});

test("an id takes a bit, one byte or two, by the distance of ids, and a byte for its payload", () => {
  const bytesAt = (distance: number): number => {
    const list = Array.from({ length: 20_000 }, (_, at) => [1 + at * distance, 1] as const);
    return Math.round((10 * packedOf(list).bytes) / list.length);
  };
  assert.equal([1, 10, 40, 2_000].map(bytesAt), [12, 22, 26, 32]);
});

test.run();
