import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { sendRequest } from "../../../src/projector/control/client.ts";
import { createInterrupt } from "../../../src/projector/control/interrupt.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";

const test = suite("interrupts of the projector");

const setUp = () => {
  const home = temporaryDirectory();
  const directory = openDataDirectory(join(home.path, "data"));
  const stopped = new AbortController();
  const interrupt = createInterrupt({ directory, signal: stopped.signal, pollIntervalMs: 5 });
  return { home, directory, stopped, interrupt };
};

test("a pending request aborts the signal of the running activity, and of the next until it is taken", async () => {
  const { home, directory, interrupt } = setUp();
  const first = interrupt.arm();
  assert.is(first.aborted, false);
  const cancelled = new AbortController();
  const sent = sendRequest(
    directory.path,
    { kind: "rollback" },
    async () => true,
    cancelled.signal,
  ).catch(() => undefined);
  await once(first, "abort");
  assert.is(interrupt.arm().aborted, true);
  cancelled.abort();
  await sent;
  rmSync(join(directory.path, "requests"), { recursive: true });
  assert.is(interrupt.arm().aborted, false);
  interrupt.stop();
  home.remove();
});

test("a stop and a bug abort the signal, and a stop that of every later activity", () => {
  const { home, stopped, interrupt } = setUp();
  const first = interrupt.arm();
  interrupt.abort();
  assert.is(first.aborted, true);
  const second = interrupt.arm();
  assert.is(second.aborted, false);
  stopped.abort();
  assert.is(second.aborted, true);
  assert.is(interrupt.arm().aborted, true);
  interrupt.stop();
  home.remove();
});

test.run();
