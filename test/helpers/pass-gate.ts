import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { openMutex } from "../../src/lmdb/commit-mutex.ts";

/** A program: makes the gate of a directory, enters it, and leaves it when its input ends. */
const say = (word: string): void =>
  void process.stdout.write(`${word} ${process.hrtime.bigint() / 1_000n}\n`);

say("started");
// What was said leaves before the process waits for the gate.
await delay(50);
const gate = openMutex(process.argv[2] ?? "");
const leave = gate.acquire();
say("entered");
process.stdin.resume();
await once(process.stdin, "end");
// A process that is let in by mistake is in by now.
await delay(1_000);
say("left");
leave();
gate.close();
