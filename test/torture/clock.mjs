/**
 * Changes the wall clock of a process, loaded before its program (`--import`). The offset in milliseconds is in the file
 * that VITRINE_TEST_CLOCK names. Monotonic clocks stay unchanged, because an operator cannot set them either.
 */
import { readFileSync } from "node:fs";

const file = process.env.VITRINE_TEST_CLOCK ?? "";
const wall = Date.now;
let offsetMs = 0;

const readOffset = () => {
  try {
    offsetMs = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    // The test is writing the file: keep the last offset.
  }
};

readOffset();
setInterval(readOffset, 20).unref();
Date.now = () => wall() + offsetMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [wall() + offsetMs] : args, newTarget),
});
