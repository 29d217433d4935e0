import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Runs a full garbage collection synchronously. */
export const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
};

/** Collects garbage and returns the heap in use, in bytes. */
export const heapInUse = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};
