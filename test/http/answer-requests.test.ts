import { spawnSync } from "node:child_process";
import { setImmediate as afterTurn, setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { perTick } from "../../src/http/route.ts";
import { packageRoot } from "../../src/package-info.ts";
import { openReader } from "../../src/read-model/reader/open-reader.ts";
import type { Reader } from "../../src/read-model/reader/reader.ts";
import { productUpserted, robotsUpdated } from "../helpers/events.ts";
import { openModel } from "../helpers/model.ts";
import { testProgram } from "../helpers/test-program.ts";

const test = suite("snapshot per tick");

/**
 * Commits an event in another process; the reads of this process do not notice such a commit by themselves.
 */
const applyInOtherProcess = (directory: string, sequence: number, event: CloudEvent): void => {
  const args = [
    ...testProgram("test/helpers/apply-event"),
    directory,
    String(sequence),
    JSON.stringify(event),
  ];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: packageRoot });
  assert.is(status, 0, String(stderr));
};

const openContext = () => {
  const model = openModel();
  const reader = openReader(model.store);
  let calls = 0;
  let live: Reader | undefined = reader;
  const turn = perTick(() => {
    calls += 1;
    return live;
  });
  return {
    model,
    reader,
    turn,
    calls: () => calls,
    become: (next: Reader | undefined) => {
      live = next;
    },
    applyRobots: (text: string) => model.apply(robotsUpdated(text)),
    /** Reads in the current tick, as a request does after a commit of another process. */
    shown: () => reader.snapshot((snapshot) => snapshot.robots()?.text),
  };
};

test("all requests of a tick share one lookup of the live generation; the next tick looks it up again", async () => {
  const { turn, calls: looks, become, reader, model } = openContext();
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

test("all reads of a tick see one snapshot, and the next tick reads the newest commit", async () => {
  const { turn, applyRobots, shown, model } = openContext();
  applyRobots("User-agent: A\nDisallow: /");
  await afterTurn();
  turn(1);
  const first = shown();
  applyRobots("User-agent: B\nDisallow: /");
  assert.is(shown(), first);
  await afterTurn();
  assert.match(shown() ?? "", "B");
  await model.close();
});

test("all reads of a tick see one snapshot, also when a walk of the model begins in it", async () => {
  const { turn, applyRobots, shown, reader, model } = openContext();
  model.apply(productUpserted({ id: 1 }));
  applyRobots("User-agent: A\nDisallow: /");
  await afterTurn();
  turn(1);
  const first = shown();
  applyInOtherProcess(model.store.directory, 3, productUpserted({ id: 2 }));
  const walked = reader.scanPages(async (pages) => pages({ limit: 10 }).length);
  const counted = () =>
    reader.snapshot((snapshot) => [snapshot.counts().products, snapshot.robots()?.text]);
  assert.equal(counted(), [1, first]);
  assert.is(await walked, 1);
  await afterTurn();
  assert.equal(counted()[0], 2);
  await model.close();
});

test("a tick of over a millisecond refreshes its snapshot and releases it at its end", async () => {
  const { turn, calls: looks, applyRobots, shown, model } = openContext();
  applyRobots("User-agent: A\nDisallow: /");
  turn(1);
  assert.match(shown() ?? "", "A");
  applyRobots("User-agent: B\nDisallow: /");
  turn(2.5);
  assert.match(shown() ?? "", "B");
  assert.is(looks(), 2);
  applyRobots("User-agent: C\nDisallow: /");
  await delay(2);
  assert.match(shown() ?? "", "C");
  await model.close();
});

test.run();
