/**
 * A process that takes the lock of the data directory of its command line at the message `take`, releases it at any other message,
 * and replies `held` or `not`. It reports `ready` at its start.
 */
import { lockDirectory, type Release } from "../../src/projector/integrity/lock.ts";

const directory = process.argv[2] ?? "";
let release: Release | undefined;
process.on("message", async (word) => {
  if (word === "take") {
    release = await lockDirectory(directory, () => undefined).catch(() => undefined);
  } else {
    await release?.();
  }
  process.send?.(word === "take" && release ? "held" : "not");
});
process.send?.("ready");
