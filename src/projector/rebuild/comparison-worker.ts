import { openSync, writeSync } from "node:fs";
import { messageOf } from "../../errors.ts";
import { isOfTheMachine } from "../../platform/child-probe.ts";
import { type Comparison, compareStores } from "../../read-model/compare/compare.ts";
import { type Key, tables } from "../../read-model/schema/tables.ts";
import { openStore, type Pinned } from "../../read-model/store/store.ts";
import type { Asked, Former, Replied } from "./comparison-client.ts";

/**
 * The process that reads the former generation for `openApart`: a damaged file may end it without a word, so it
 * writes down where it is before each row.
 */
const [, , directory = "", positionFile = ""] = process.argv;

const reply = (told: Replied): void =>
  void process.send?.(told, undefined, undefined, () => undefined);

const formerOf = (stored: Pinned): Former => ({
  checkpoint: stored.get(tables.meta, "checkpoint"),
  products: stored.get(tables.counters, "products") ?? 0,
});

const begin = () => {
  const store = openStore(directory, { readOnly: true });
  let held: Pinned | undefined;
  return {
    look(hold: boolean): Former {
      held?.release();
      held = store.pin();
      const former = formerOf(held);
      if (hold) return former;
      held.release();
      held = undefined;
      return former;
    },
    async compare(built: string): Promise<Comparison> {
      const former = held ?? store.pin();
      held = undefined;
      const other = openStore(built, { readOnly: true });
      const rows = other.pin();
      try {
        return await compareStores(former, rows, { onRow: notePositions() });
      } finally {
        former.release();
        rows.release();
        await other.close();
      }
    },
  };
};

/** At one place, so that the file stays small; a shorter one covers the one before. */
const notePositions = (): ((table: string, key: Key) => void) => {
  const position = openSync(positionFile, "w");
  let longest = 0;
  return (table, key) => {
    const text = JSON.stringify([table, key]);
    longest = Math.max(longest, text.length);
    writeSync(position, text.padEnd(longest), 0);
  };
};

const answer = async (side: ReturnType<typeof begin>, asked: Asked): Promise<Replied> => {
  if (asked.ask === "compare") return { comparison: await side.compare(asked.built) };
  return { former: side.look(asked.ask === "pin") };
};

const fail = (error: unknown): void =>
  reply({ failed: messageOf(error), isOfTheMachine: isOfTheMachine(error) });

// Whoever started it decides when it ends; an interrupt at a terminal reaches both.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
process.once("disconnect", () => process.exit(0));
try {
  const side = begin();
  process.on("message", (asked: Asked) => {
    answer(side, asked).then(reply, fail);
  });
  reply({ ready: true });
} catch (error) {
  fail(error);
}
