import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../../src/errors.ts";
import type { LogRecord } from "../../../src/event-log/event-log.ts";
import { fingerprintRecord } from "../../../src/projector/advance-checkpoint.ts";
import { readContinuous } from "../../../src/projector/continuity/read-continuous.ts";
import { stockChanged } from "../../helpers/events.ts";
import { type SimulatedLog, simulateLog } from "../../helpers/simulated-log.ts";

const test = suite("continuous reading");
const events = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => stockChanged({ productId: from + at }));

const logOf = (count: number): SimulatedLog => {
  const log = simulateLog(1);
  log.behave();
  log.appendEvents(...events(count));
  return log;
};

const afterThree = { after: 3, follow: false };

/** Reads to the end; `between` runs after the first chunk was delivered. */
const readAll = async (log: SimulatedLog, between: () => void): Promise<readonly LogRecord[]> => {
  const read: LogRecord[] = [];
  for await (const chunk of readContinuous(log, { after: 0, follow: false })) {
    if (read.length === 0) between();
    read.push(...chunk);
  }
  return read;
};

const isDivergence = (error: unknown) =>
  error instanceof VitrineError &&
  error.code === "divergence" &&
  /holds another event at sequence \d+ than the one that was read there/.test(error.message);

test("reading continues after a reconnect to the same history", async () => {
  const log = logOf(40);
  const read = await readAll(log, () => {
    log.cut();
    log.heal();
  });
  assert.equal(
    read.map(({ sequence }) => sequence),
    Array.from({ length: 40 }, (_, at) => at + 1),
  );
});

test("other events at sequences that were read are a divergence", async () => {
  const log = logOf(40);
  try {
    await readAll(log, () => log.rollBack(40, ...events(40, 100)));
    assert.unreachable();
  } catch (error) {
    assert.ok(isDivergence(error), String(error));
  }
});

test("reading continues after a log lost only unread events", async () => {
  const log = logOf(40);
  const read = await readAll(log, () => log.rollBack(20, ...events(20, 100)));
  assert.is(read.length, 40);
  assert.is(
    fingerprintRecord(read[39] as LogRecord).sha256,
    fingerprintRecord((await log.get(40)) as LogRecord).sha256,
  );
});

test("a log that changes during its verification is verified again before a record is delivered", async () => {
  const log = logOf(5);
  const fingerprint = fingerprintRecord((await log.get(3)) as LogRecord);
  const { get } = log;
  let isRolled = false;
  log.get = async (sequence) => {
    const record = await get(sequence);
    if (!isRolled) log.rollBack(3, ...events(9, 100));
    isRolled = true;
    return record;
  };
  try {
    for await (const _ of readContinuous(log, afterThree, { fingerprints: [fingerprint] }))
      assert.unreachable("it was delivered");
    assert.unreachable();
  } catch (error) {
    assert.ok(isRolled && isDivergence(error), String(error));
  }
});

test("fingerprints of earlier reads are checked when reading begins", async () => {
  const log = logOf(5);
  const fingerprint = fingerprintRecord((await log.get(3)) as LogRecord);
  log.rollBack(3, ...events(9, 100));
  try {
    for await (const _ of readContinuous(log, afterThree, { fingerprints: [fingerprint] }))
      assert.unreachable("it was delivered");
    assert.unreachable();
  } catch (error) {
    assert.ok(isDivergence(error), String(error));
  }
});

test.run();
