import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setImmediate as afterTurn, setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import { perTick } from "../../../src/http/cache/snapshot-per-tick.ts";
import { packageRoot } from "../../../src/package-info.ts";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import type { Reader } from "../../../src/read-model/reader/reader.ts";
import { productUpserted, robotsUpdated } from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";

const test = suite("a turn of the event loop");

/** Commits an event in another process, whose commits this one's reads do not notice by themselves. */
const toldByAnother = (directory: string, sequence: number, event: CloudEvent): void => {
  const file = join(packageRoot, "test", "helpers", "apply-event.ts");
  const args = ["--import", "tsx", file, directory, String(sequence), JSON.stringify(event)];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: packageRoot });
  assert.is(status, 0, String(stderr));
};

const worldOf = () => {
  const model = openModel();
  const reader = openReader(model.store);
  let looks = 0;
  let live: Reader | undefined = reader;
  const turn = perTick(() => {
    looks += 1;
    return live;
  });
  return {
    model,
    reader,
    turn,
    looks: () => looks,
    become: (next: Reader | undefined) => {
      live = next;
    },
    said: (text: string) => model.apply(robotsUpdated(text)),
    /** In a turn of its own, as a commit by another process is. */
    shown: () => reader.snapshot((moment) => moment.robots()?.text),
  };
};

test("looks once for all its requests, and the next turn looks again", async () => {
  const { turn, looks, become, reader, model } = worldOf();
  await afterTurn();
  for (let request = 0; request < 5; request += 1) assert.is(turn(1), reader);
  assert.is(looks(), 1);
  become(undefined);
  assert.is(turn(1), reader);
  await afterTurn();
  assert.is(turn(1), undefined);
  assert.is(looks(), 2);
  await afterTurn();
  await model.close();
});

test("shows one moment, and the next turn the newest", async () => {
  const { turn, said, shown, model } = worldOf();
  said("User-agent: A\nDisallow: /");
  await afterTurn();
  turn(1);
  const first = shown();
  said("User-agent: B\nDisallow: /");
  assert.is(shown(), first);
  await afterTurn();
  assert.match(shown() ?? "", "B");
  await model.close();
});

test("shows one moment, whoever begins to walk through the model in it", async () => {
  const { turn, said, shown, reader, model } = worldOf();
  model.apply(productUpserted({ id: 1 }));
  said("User-agent: A\nDisallow: /");
  await afterTurn();
  turn(1);
  const first = shown();
  toldByAnother(model.store.directory, 3, productUpserted({ id: 2 }));
  const walked = reader.scanPages(async (pages) => pages({ limit: 10 }).length);
  const counted = () =>
    reader.snapshot((moment) => [moment.counts().products, moment.robots()?.text]);
  assert.equal(counted(), [1, first]);
  assert.is(await walked, 1);
  await afterTurn();
  assert.equal(counted()[0], 2);
  await model.close();
});

test("that is long looks again after a millisecond, and still lets go at its end", async () => {
  const { turn, looks, said, shown, model } = worldOf();
  said("User-agent: A\nDisallow: /");
  turn(1);
  assert.match(shown() ?? "", "A");
  said("User-agent: B\nDisallow: /");
  turn(2.5);
  assert.match(shown() ?? "", "B");
  assert.is(looks(), 2);
  said("User-agent: C\nDisallow: /");
  await delay(2);
  assert.match(shown() ?? "", "C");
  await model.close();
});

test.run();
