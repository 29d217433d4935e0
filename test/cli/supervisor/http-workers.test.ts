import { setImmediate as nextTurn } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHttpWorkerMonitor } from "../../../src/cli/supervisor/http-workers.ts";

const test = suite("the HTTP processes of a deployment");

test("that one cannot listen may be known before anybody waits for it, and is told to whoever does", async () => {
  const { onMessage, listening } = createHttpWorkerMonitor(2, () => 0);
  onMessage("http-1", { kind: "listening" });
  onMessage("http-2", { kind: "refused", code: "listen", message: "the port is in use", hint: "" });
  // A rejection that nobody has looked after by then ends the process.
  await nextTurn();
  const why = await listening.then(
    () => "",
    ({ message }) => message,
  );
  assert.is(why, "the port is in use");
});

test.run();
