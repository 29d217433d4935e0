import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { VitrineError } from "../../errors.ts";
import { makeDirectory } from "../../platform/durable-fs.ts";
import { thisProcess } from "../../platform/process-identity.ts";
import { mustNotBeRootsGuest } from "../../read-model/generations/directory-marker.ts";
import {
  type Answer,
  type Asked,
  answered,
  type Order,
  ordered,
  ordersOf,
  read,
  writeWhole,
} from "./request.ts";

/** Milliseconds. */
const lookEvery = 50;

/** A projector that takes orders takes one within a second. */
const longestQuick = 3_000;

/** Looks without a projector after which none is expected: one service may be taking over from another. */
const longestLonely = 40;

/**
 * Has the running projector carry out an order.
 * @param directory path of the data directory
 * @param isAttended tells whether a projector runs: without one nobody will take the order
 * @param onSlow called once when the answer takes longer than a projector that follows its log needs
 * @returns what it told
 * @throws VitrineError what it refused with; `unanswered` when nobody takes the order or the signal comes first
 */
export const placeOrder = async (
  directory: string,
  order: Order,
  isAttended: () => Promise<boolean>,
  signal: AbortSignal,
  onSlow: () => void = () => undefined,
): Promise<unknown> => {
  mustNotBeRootsGuest(directory);
  const at = makeOrders(directory);
  const id = randomUUID();
  writeWhole(at, `${id}${ordered}`, { order, by: thisProcess() } satisfies Asked);
  const slow = setTimeout(onSlow, longestQuick);
  const answer = await waitFor(at, `${id}${answered}`, isAttended, signal).finally(() =>
    clearTimeout(slow),
  );
  if (answer?.ok) return answer.told;
  if (answer) throw new VitrineError(answer.code, answer.message, answer.hint);
  throw withdraw(at, id)
    ? new VitrineError("unanswered", "the projector did not take the order, so nothing was changed")
    : new VitrineError(
        "unanswered",
        "the projector took the order and did not answer yet",
        "vitrine status tells what came of it",
      );
};

const waitFor = async (
  at: string,
  name: string,
  isAttended: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<Answer | undefined> => {
  let lonely = 0;
  while (!signal.aborted && lonely < longestLonely) {
    const answer = read<Answer>(at, name);
    if (answer) {
      rmSync(join(at, name), { force: true });
      return answer;
    }
    lonely = (await isAttended()) ? 0 : lonely + 1;
    await delay(lookEvery, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
};

/** True when the order could be taken back. */
const withdraw = (at: string, id: string): boolean => {
  try {
    rmSync(join(at, `${id}${ordered}`));
    return true;
  } catch {
    return false;
  }
};

const makeOrders = (directory: string): string => {
  const at = ordersOf(directory);
  makeDirectory(at);
  return at;
};
