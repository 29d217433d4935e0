import { suite } from "uvu";
import * as assert from "uvu/assert";
import { takeMinPosition } from "../../../src/http/middleware/min-position.ts";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import type { Reader } from "../../../src/read-model/reader/reader.ts";
import { openModel } from "../../helpers/model.ts";
import { query, queryUrl, shopEvents } from "../../spec/contract-11-surfaces.ts";
import { open } from "../test-app.ts";

const test = suite("minimum position");

for (const [target, rest, minPosition] of [
  ["/a?min_position=1", "/a", "1"],
  ["/a?min_position", "/a", ""],
  ["/a?min_position=", "/a", ""],
  ["/a?min_position=1&b=%c3+ä&&c", "/a?b=%c3+ä&&c", "1"],
  ["/a?b=1?&min_position=1", "/a?b=1?", "1"],
  ["/a?b&min_position=1=2&c", "/a?b&c", "1=2"],
  ["/a?min_position=1&b&min_position=2", "/a?b", "1,2"],
  ["/a?min_position=1&b&min_position=1", "/a?b", "1,1"],
] as const)
  test(`takeMinPosition takes ${JSON.stringify(minPosition)} out of ${target}`, () => {
    assert.equal(takeMinPosition(target), { target: rest, minPosition });
  });

for (const target of [
  undefined,
  "*",
  "/min_position",
  "/min_position?a",
  "/a?xmin_position=1",
  "/a?min_positions=1",
  "/a?b=min_position",
  "/a?b=min_position=1",
])
  test(`takeMinPosition takes nothing out of ${target}`, () => {
    assert.is(takeMinPosition(target), undefined);
  });

test("a request with a minimum position is answered from the response cache, and keeps replies there", async () => {
  const model = openModel();
  model.apply(...shopEvents());
  let snapshots = 0;
  const reader = openReader(model.store);
  const counted: Reader = {
    ...reader,
    snapshot: (read) => {
      snapshots += 1;
      return reader.snapshot(read);
    },
  };
  const app = await open(undefined, { reader: () => counted });
  const position = reader.position()?.text ?? "";
  const countOf = async (send: () => Promise<Response>): Promise<number> => {
    snapshots = 0;
    const answer = await send();
    assert.is(answer.status, 200);
    await answer.arrayBuffer();
    return snapshots;
  };
  const get = (path: string, headers = {}) => countOf(() => fetch(app.url + path, { headers }));
  for (const path of ["/products/1.md", queryUrl]) {
    const asking = `${path}${path.includes("?") ? "&" : "?"}min_position=${position}`;
    // The second request keeps its reply.
    const [first, second, third, byHeader, plain] = [
      await get(path),
      await get(asking),
      await get(asking),
      await get(path, { "x-min-position": position }),
      await get(path),
    ];
    assert.is(second, first);
    assert.equal([third, byHeader, plain], [first - 1, first - 1, first - 1], path);
  }
  const post = (headers = {}) => countOf(() => app.post({ query }, headers));
  const first = await post();
  const asking = { "x-min-position": position };
  assert.equal(
    [await post(asking), await post(asking), await post()],
    [first, first - 1, first - 1],
  );
  await app.close();
  await model.close();
});

test.run();
