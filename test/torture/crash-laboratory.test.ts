import { cpSync, rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Chance } from "../bench/seeded.ts";
import { again, amount, chanceOf, isLong, reportDone } from "../helpers/effort.ts";
import { type Laboratory, openLaboratory, stream } from "./laboratory.ts";

const test = suite("the crash laboratory");

/** Causes a fault, and repairs it as an operator or the machine would. Times in ms. */
type Fault = (lab: Laboratory, chance: Chance) => Promise<void>;

const afterwards = (least: number, most: number, { below }: Chance) =>
  delay(least + below(most - least));

/** Duration of a stall of broker or network in ms; sometimes far longer in the long form. */
const standstill = ({ below }: Chance): number => (isLong && below(8) === 0 ? 40_000 : 2_500);

const faults: Readonly<Record<string, Fault>> = {
  async "the projector is killed"({ kill, publish }, chance) {
    const publishing = publish(200);
    await afterwards(0, 30, chance);
    await kill("projector");
    await publishing;
  },
  async "an HTTP process is killed"({ kill, publish }, { pick }) {
    await kill(pick(["http-1", "http-2"]));
    await publish(20);
  },
  async "connections are reset, again and again"({ proxy, publish }, chance) {
    for (let left = 5; left > 0; left -= 1) {
      proxy.reset();
      await publish(20);
      await afterwards(0, 100, chance);
    }
  },
  async "the broker cannot be reached"({ proxy, publish }, chance) {
    proxy.cut();
    await publish(50);
    await afterwards(100, 1_500, chance);
    proxy.heal();
  },
  async "nothing moves on the connection"({ proxy, publish }, chance) {
    proxy.stall();
    await publish(50);
    await afterwards(500, standstill(chance), chance);
    proxy.heal();
  },
  async "the connection is slow"({ proxy, publish }, chance) {
    proxy.slow(10_000);
    await publish(30);
    await afterwards(500, 2_000, chance);
    proxy.heal();
  },
  async "the broker is killed and started again"({ nats, publish }, chance) {
    await publish(50);
    await nats.kill();
    await afterwards(0, 1_000, chance);
    await nats.start();
    await publish(50);
  },
  async "the broker stands still"({ nats, publish }, chance) {
    await publish(20);
    nats.pause();
    await afterwards(200, standstill(chance), chance);
    nats.resume();
    await publish(20);
  },
  async "broker and projector die together"({ nats, kill, publish }, chance) {
    const publishing = publish(200);
    await afterwards(0, 30, chance);
    await Promise.all([nats.kill(), kill("projector")]);
    await nats.start();
    await publishing;
  },
  async "what was read is trimmed from the stream"({ operate, publish, converged }) {
    await publish(20);
    await converged();
    await operate((operator) => operator.streams.purge(stream, { keep: 10 }));
    await publish(20);
  },
  async "the stream is deleted and made anew"({ operate, republish, historyChanged }) {
    await operate((operator) => operator.streams.delete(stream));
    const publishing = republish();
    await historyChanged();
    await publishing;
  },
  async "the broker's store goes back to an older copy, and its sequences are used again"(lab) {
    const { nats, publish, converged, historyChanged, restoreHistory } = lab;
    await restoreHistory();
    await converged();
    const copy = `${nats.store}-copy`;
    await nats.stop();
    rmSync(copy, { recursive: true, force: true });
    cpSync(nats.store, copy, { recursive: true });
    await nats.start();
    await publish(40);
    await converged();
    await nats.kill();
    rmSync(nats.store, { recursive: true, force: true });
    cpSync(copy, nats.store, { recursive: true });
    await nats.start();
    await historyChanged();
    await publish(60);
  },
  async "the projector is killed, again and again, while it rebuilds"(lab, chance) {
    let met = 0;
    // A rebuild may end before the first kill: the next kill comes at once.
    for (const longest of [300, 0]) {
      if (met > 0) break;
      const previous = lab.live();
      await lab.operate((operator) => operator.streams.delete(stream));
      const publishing = lab.republish();
      for (let left = 3; left > 0; left -= 1) {
        // Once another generation answers, the rebuild is over, and a kill would meet something else.
        await lab.rebuildBegun(() => lab.live() !== previous);
        await afterwards(0, longest, chance);
        if (await lab.kill("projector")) met += 1;
      }
      await publishing;
    }
    assert.ok(met > 0, "no kill met a rebuild");
  },
  async "the broker's store is wiped"({ nats, republish, historyChanged }) {
    await nats.kill();
    rmSync(nats.store, { recursive: true, force: true });
    await nats.start();
    const publishing = republish();
    await historyChanged();
    await publishing;
  },
  async "the stream is purged, and its sequences go on"({ operate, publish, converged }) {
    await publish(20);
    await converged();
    await operate((operator) => operator.streams.purge(stream));
    await publish(20);
  },
  async "unread events are trimmed from the stream, and the shop tells all again"(lab) {
    const { proxy, operate, publish, republish, historyChanged } = lab;
    proxy.cut();
    await publish(40);
    await operate((operator) => operator.streams.purge(stream, { keep: 10 }));
    proxy.heal();
    await historyChanged();
    await operate((operator) => operator.streams.delete(stream));
    await republish();
  },
  async "the wall clock is set"({ setClock, publish }, chance) {
    for (const seconds of [3_600, -3_600, 0]) {
      setClock(seconds);
      await publish(20);
      await afterwards(0, 400, chance);
    }
  },
};

const breaksReads = new Set(["an HTTP process is killed"]);

const count = amount(Object.keys(faults).length);

test(`${count} faults: after each the model equals a clean replay, and reads were answered throughout`, async () => {
  const lab = await openLaboratory();
  const chance = chanceOf("laboratory");
  const names = Object.keys(faults);
  let what = "";
  let turn = 0;
  try {
    for (; turn < count; turn += 1) {
      // Each fault once, then at random.
      what = names[turn] ?? chance.pick(names);
      await faults[what]?.(lab, chance);
      await lab.converged();
      const { broken } = lab.reads;
      // Only the kill of a process may break off its requests.
      assert.ok(broken.length === 0 || breaksReads.has(what), `reads broke: ${broken.join(", ")}`);
      broken.length = 0;
      assert.not(lab.reads.failed.length > 0, `reads failed: ${lab.reads.failed.join(", ")}`);
      reportDone(turn + 1);
    }
    assert.ok(lab.reads.answered > count, `${lab.reads.answered} reads`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    assert.unreachable(
      `fault ${turn}, ${what}: ${message}\n${lab.service.stderr().slice(-2_000)}\n${again("test/torture/crash-laboratory.test.ts")}`,
    );
  } finally {
    await lab.close();
  }
});

test.run();
