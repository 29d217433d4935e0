import { setImmediate as nextTurn } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHttpWorkerMonitor } from "../../../src/cli/supervisor/http-workers.ts";

const test = suite("HTTP workers of a deployment");

test("a failure to listen before anybody waits for it is reported to a later waiter", async () => {
  const { onMessage, listening } = createHttpWorkerMonitor(2, () => 0);
  onMessage("http-1", { kind: "listening" });
  onMessage("http-2", { kind: "fatal", code: "listen", message: "the port is in use", hint: "" });
  // An unhandled rejection would end the process by then.
  await nextTurn();
  const why = await listening.then(
    () => "",
    ({ message }) => message,
  );
  assert.is(why, "the port is in use");
});

test.run();
