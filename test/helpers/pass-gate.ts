import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { openMutex } from "../../src/lmdb/commit-mutex.ts";

/** A program that opens the mutex of a directory, acquires it, and releases it when its input ends. */
const say = (word: string): void =>
  void process.stdout.write(`${word} ${process.hrtime.bigint() / 1_000n}\n`);

say("started");
// The output must reach the test before this process blocks on the mutex.
await delay(50);
const gate = openMutex(process.argv[2] ?? "");
const leave = gate.acquire();
say("entered");
process.stdin.resume();
await once(process.stdin, "end");
// A second process that wrongly acquires the mutex has done so by now.
await delay(1_000);
say("left");
leave();
gate.close();
