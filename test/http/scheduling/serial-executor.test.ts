import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createSerialExecutor } from "../../../src/http/scheduling/serial-executor.ts";

const test = suite("serial executor");

test("tasks run one at a time, also after a failure", async () => {
  const alone = createSerialExecutor();
  let running = 0;
  let most = 0;
  const done = await Promise.allSettled(
    [1, 2, 3, 4].map((piece) =>
      alone(
        "a",
        async () => {
          running += 1;
          most = Math.max(most, running);
          await nextTurn();
          running -= 1;
          if (piece === 2) throw new Error("it fails");
          return piece;
        },
        () => 0,
      ),
    ),
  );
  assert.is(most, 1);
  assert.equal(
    done.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled", "fulfilled"],
  );
});

test("a task that waited too long is rejected and not started", async () => {
  const alone = createSerialExecutor(0);
  const done = await Promise.all(
    ["a", "b", "c"].map((client) =>
      alone(
        client,
        async () => {
          await delay(2);
          return "done";
        },
        () => "late",
      ),
    ),
  );
  assert.equal(done, ["done", "late", "late"]);
});

test.run();
