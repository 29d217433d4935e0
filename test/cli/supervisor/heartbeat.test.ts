import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHeartbeatMonitor } from "../../../src/cli/supervisor/heartbeat.ts";

const test = suite("processes that stop speaking");

/** A watch that is asked every second, as it wants to be, and its clock in seconds. */
const watched = () => {
  let seconds = 0;
  const watch = createHeartbeatMonitor(() => seconds * 1_000);
  const told: string[] = [];
  return {
    ...watch,
    told,
    until(end: number) {
      while (seconds < end) {
        seconds += 1;
        told.push(...watch.unresponsive());
      }
    },
    sleep(some: number) {
      seconds += some;
      told.push(...watch.unresponsive());
    },
  };
};

test("one is silent after ten seconds, and hangs after twenty, which is told once", () => {
  const { beat, forget, isLate, until, told } = watched();
  assert.not(isLate("http-1"));
  beat("http-1");
  until(10);
  assert.not(isLate("http-1"));
  until(11);
  assert.ok(isLate("http-1"));
  until(20);
  assert.equal(told, []);
  until(60);
  assert.equal(told, ["http-1"]);
  assert.ok(isLate("http-1"), "nothing may end it");
  beat("http-1");
  assert.not(isLate("http-1"));
  until(90);
  assert.equal(told, ["http-1", "http-1"]);
  forget("http-1");
  assert.not(isLate("http-1"));
});

test("whoever speaks, or has ended, does not hang", () => {
  const { beat, forget, isLate, until, told } = watched();
  beat("http-1");
  beat("http-2");
  until(15);
  beat("http-1");
  forget("http-2");
  until(30);
  assert.not(isLate("http-2"));
  assert.equal(told, []);
});

test("one that was begun has a minute for its first word", () => {
  const { started, beat, until, told } = watched();
  started("http-1");
  started("http-2");
  until(50);
  beat("http-2");
  until(60);
  assert.equal(told, []);
  until(61);
  assert.equal(told, ["http-1"]);
  until(71);
  assert.equal(told, ["http-1", "http-2"]);
});

test("a machine that stood still has no process that hangs", () => {
  const { beat, isLate, until, sleep, told } = watched();
  beat("http-1");
  until(5);
  sleep(3_600);
  assert.not(isLate("http-1"));
  until(3_620);
  assert.equal(told, []);
  until(3_640);
  assert.equal(told, ["http-1"]);
});

test.run();
