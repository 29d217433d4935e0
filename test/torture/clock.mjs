/**
 * Loaded into a process before its program (`--import`): the wall clock is off by as many milliseconds as the file says
 * that VITRINE_TEST_CLOCK names, as if somebody had set it. The clocks that nobody can set are left alone.
 */
import { readFileSync } from "node:fs";

const file = process.env.VITRINE_TEST_CLOCK ?? "";
const wall = Date.now;
let off = 0;

const look = () => {
  try {
    off = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    // Being written.
  }
};

look();
setInterval(look, 20).unref();
Date.now = () => wall() + off;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [wall() + off] : given, made),
});
