import * as assert from "uvu/assert";
import type { EventLog } from "../../../src/event-log/event-log.ts";
import { watchTail } from "../../../src/projector/continuity/log-monitor.ts";
import { append } from "../../helpers/projector.ts";
import { until } from "../../helpers/vitrine.ts";
import { products, suiteOfJournal } from "../journal-suite.ts";

const test = suiteOfJournal("the end of a log");
const never = new AbortController().signal;

/** A log whose records after a sequence were deleted, which a journal does not allow. */
const deletedAfter = (log: EventLog, last: number): EventLog => ({
  ...log,
  get: async (sequence) => (sequence > last ? undefined : log.get(sequence)),
  async *read(options) {
    for await (const chunk of log.read(options)) {
      const records = chunk.filter(({ sequence }) => sequence <= last);
      if (records.length > 0) yield records;
    }
  },
});

test("is empty when every record after the checkpoint was deleted", async ({ log }) => {
  await append(log, ...products(5));
  const tail = watchTail(deletedAfter(log, 3), never);
  assert.is(tail.isEmpty(3, 5), false, "it was not read yet");
  await until(async () => tail.isEmpty(3, 5), Boolean);
  assert.is(tail.isEmpty(5, 5), false, "no record is missing");
  assert.is(tail.isEmpty(2, 5), false, "another checkpoint is read again");
});

test("is not read while records arrive, and is not empty while one is there", async ({ log }) => {
  await append(log, ...products(5));
  let reads = 0;
  const counted: EventLog = {
    ...deletedAfter(log, 4),
    get: async (sequence) => {
      reads += 1;
      return sequence > 4 ? undefined : log.get(sequence);
    },
  };
  const tail = watchTail(counted, never);
  for (const checkpoint of [0, 1, 2, 3]) assert.is(tail.isEmpty(checkpoint, 5), false);
  assert.is(reads, 0);
  assert.is(tail.isEmpty(3, 5), false);
  await until(
    async () => reads,
    (count) => count === 1,
  );
  for (let poll = 0; poll < 20; poll += 1) assert.is(tail.isEmpty(3, 5), false);
});

test.run();
