import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHeartbeatMonitor } from "../../../src/cli/supervisor/http-workers.ts";

const test = suite("heartbeat monitor");

/** A monitor that is polled every second, and its clock in seconds. */
const watched = () => {
  let seconds = 0;
  const watch = createHeartbeatMonitor(() => seconds * 1_000);
  const hanging: string[] = [];
  return {
    ...watch,
    hanging,
    until(end: number) {
      while (seconds < end) {
        seconds += 1;
        hanging.push(...watch.unresponsive());
      }
    },
    sleep(some: number) {
      seconds += some;
      hanging.push(...watch.unresponsive());
    },
  };
};

test("a process is late after ten seconds, and hangs after twenty, which is reported once", () => {
  const { beat, forget, isLate, until, hanging } = watched();
  assert.not(isLate("http-1"));
  beat("http-1");
  until(10);
  assert.not(isLate("http-1"));
  until(11);
  assert.ok(isLate("http-1"));
  until(20);
  assert.equal(hanging, []);
  until(60);
  assert.equal(hanging, ["http-1"]);
  assert.ok(isLate("http-1"), "it may be impossible to kill");
  beat("http-1");
  assert.not(isLate("http-1"));
  until(90);
  assert.equal(hanging, ["http-1", "http-1"]);
  forget("http-1");
  assert.not(isLate("http-1"));
});

test("a process that sends heartbeats, or has ended, does not hang", () => {
  const { beat, forget, isLate, until, hanging } = watched();
  beat("http-1");
  beat("http-2");
  until(15);
  beat("http-1");
  forget("http-2");
  until(30);
  assert.not(isLate("http-2"));
  assert.equal(hanging, []);
});

test("a new process has a minute for its first heartbeat", () => {
  const { started, beat, until, hanging } = watched();
  started("http-1");
  started("http-2");
  until(50);
  beat("http-2");
  until(60);
  assert.equal(hanging, []);
  until(61);
  assert.equal(hanging, ["http-1"]);
  until(71);
  assert.equal(hanging, ["http-1", "http-2"]);
});

test("after a suspension of the machine no process counts as hanging", () => {
  const { beat, isLate, until, sleep, hanging } = watched();
  beat("http-1");
  until(5);
  sleep(3_600);
  assert.not(isLate("http-1"));
  until(3_620);
  assert.equal(hanging, []);
  until(3_640);
  assert.equal(hanging, ["http-1"]);
});

test.run();
