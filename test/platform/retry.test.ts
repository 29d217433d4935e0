import { suite } from "uvu";
import * as assert from "uvu/assert";
import { retry } from "../../src/platform/retry.ts";

const test = suite("retries");

const failing = (failures: number) => {
  let attempts = 0;
  return async (): Promise<number> => {
    attempts += 1;
    if (attempts <= failures) throw new Error(`failure ${attempts}`);
    return attempts;
  };
};
const always = () => true;

/** Runs attempts that fail some times, and returns the delays between them. */
const delaysOf = async (
  failures: number,
  isReset: (nth: number) => boolean = () => false,
): Promise<readonly number[]> => {
  const delays: number[] = [];
  await retry(failing(failures), {
    firstDelayMs: 100,
    maxDelayMs: 500,
    isRetryable: always,
    wait: async (delayMs) => isReset(delays.push(delayMs)),
  });
  return delays;
};

test("the delays double up to the limit", async () => {
  assert.equal(await delaysOf(5), [100, 200, 400, 500, 500]);
});

test("the delays begin again when the wait says so", async () => {
  assert.equal(await delaysOf(5, (nth) => nth === 3), [100, 200, 400, 100, 200]);
});

test("the result of the first attempt that succeeds is returned, and each failure is reported", async () => {
  const failures: string[] = [];
  const result = await retry(failing(2), {
    firstDelayMs: 1,
    maxDelayMs: 1,
    isRetryable: always,
    onFailure: (error) => failures.push((error as Error).message),
  });
  assert.is(result, 3);
  assert.equal(failures, ["failure 1", "failure 2"]);
});

test("an error that is not retryable is thrown at once", async () => {
  const attempt = failing(9);
  const thrown = await retry(attempt, {
    firstDelayMs: 1,
    maxDelayMs: 1,
    isRetryable: (error) => (error as Error).message !== "failure 2",
  }).catch((error: Error) => error.message);
  assert.is(thrown, "failure 2");
  assert.is(await attempt().catch((error: Error) => error.message), "failure 3");
});

test("an aborted signal ends the sleep and the retries, after one attempt", async () => {
  const attempt = failing(9);
  const policy = { firstDelayMs: 600_000, maxDelayMs: 600_000, isRetryable: always };
  assert.is(await retry(attempt, { ...policy, signal: AbortSignal.abort() }), undefined);
  const ended = new AbortController();
  const onFailure = () => ended.abort();
  assert.is(await retry(attempt, { ...policy, onFailure, signal: ended.signal }), undefined);
  assert.is(await attempt().catch((error: Error) => error.message), "failure 3");
  assert.is(await retry(async () => 1, { ...policy, signal: AbortSignal.abort() }), 1);
});

test.run();
