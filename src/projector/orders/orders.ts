import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeDirectory } from "../../directory.ts";
import { type ErrorCode, messageOf, VitrineError } from "../../errors.ts";
import { hasEnded, type ProcessNote, thisProcess } from "../../process-note.ts";

/**
 * What a command asks of the one writer of a data directory while it runs. An order is a file,
 * `orders/<id>.json`: it needs no port, may be given by whoever may write the directory, and outlives a projector
 * that is being started again, but not its asker: what nobody waits for any more is not done. It is taken by a rename and
 * answered in `orders/<id>.done`.
 */
export type Order =
  /** Make a generation that was built in `scratch/` the live one. */
  | { readonly kind: "adopt"; readonly scratch: string }
  /** Make the previous generation the live one. */
  | { readonly kind: "rollback" }
  /** Fold dead letters again, or all of them for null. */
  | { readonly kind: "retry"; readonly sequences: readonly number[] | null }
  /** Stop counting dead letters as open, or all of them for null. */
  | { readonly kind: "discard"; readonly sequences: readonly number[] | null };

/** To be called once, when the order was carried out or could not be. */
interface Answering {
  done(told: unknown): void;
  failed(error: unknown): void;
}

export interface TakenOrder extends Answering {
  readonly order: Order;
}

/** What the file holds. */
interface Asked {
  readonly order: Order;
  readonly by: ProcessNote;
}

type Answer =
  | { readonly ok: true; readonly told: unknown }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint: string;
    };

const ordered = ".json";
const taken = ".taken";
const answered = ".done";

/** Milliseconds. */
const lookEvery = 50;

/** A projector that takes orders takes one within a second. */
const longestQuick = 3_000;

/** Looks without a projector after which none is expected: one service may be taking over from another. */
const longestLonely = 40;

/** Answers that nobody came for. */
const answersKept = 100;

/**
 * Has the running projector carry out an order.
 * @param directory path of the data directory
 * @param isAttended tells whether a projector runs: without one nobody will take the order
 * @param onSlow called once when the answer takes longer than a projector that follows its log needs
 * @returns what it told
 * @throws VitrineError what it refused with; `data_dir` when nobody takes the order or the signal comes first
 */
export const placeOrder = async (
  directory: string,
  order: Order,
  isAttended: () => Promise<boolean>,
  signal: AbortSignal,
  onSlow: () => void = () => undefined,
): Promise<unknown> => {
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
    ? new VitrineError("data_dir", "the projector did not take the order, so nothing was changed")
    : new VitrineError(
        "data_dir",
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

/** True when an order waits. @param directory path of the data directory */
export const hasOrder = (directory: string): boolean => names(directory, ordered).length > 0;

/** The next order that somebody waits for. Only for the one writer of the data directory. */
export const takeOrder = (directory: string): TakenOrder | undefined => {
  const at = ordersOf(directory);
  for (const name of names(directory, ordered)) {
    const id = name.slice(0, -ordered.length);
    try {
      renameSync(join(at, name), join(at, `${id}${taken}`));
    } catch {
      continue; // withdrawn meanwhile
    }
    const asked = read<Partial<Asked>>(at, `${id}${taken}`);
    if (asked?.order && asked.by && !hasEnded(asked.by)) {
      return { order: asked.order, ...answering(at, id) };
    }
    rmSync(join(at, `${id}${taken}`), { force: true });
  }
  return undefined;
};

/** Answers the orders that a projector was at when it ended, so that nobody waits for them. */
export const answerInterrupted = (directory: string): void => {
  const at = ordersOf(directory);
  for (const name of names(directory, taken)) {
    const id = name.slice(0, -taken.length);
    answering(at, id).failed(
      new VitrineError(
        "data_dir",
        "the projector ended while it was at this order",
        "vitrine status tells what came of it; then ask again",
      ),
    );
  }
};

const answering = (at: string, id: string): Answering => {
  const answer = (told: Answer): void => {
    writeWhole(at, `${id}${answered}`, told);
    rmSync(join(at, `${id}${taken}`), { force: true });
    forgetOldAnswers(at);
  };
  return {
    done: (told) => answer({ ok: true, told }),
    failed(error) {
      const { code, hint } =
        error instanceof VitrineError ? error : ({ code: "projection", hint: "" } as const);
      answer({ ok: false, code, message: messageOf(error), hint });
    },
  };
};

const forgetOldAnswers = (at: string): void => {
  const all = readdirSync(at).filter((name) => name.endsWith(answered));
  if (all.length <= answersKept) return;
  const told = all.map((name) => ({ name, time: toldAt(join(at, name)) }));
  told.sort((a, b) => b.time - a.time);
  for (const { name } of told.slice(answersKept)) rmSync(join(at, name), { force: true });
};

/** Milliseconds since 1970; 0 for an answer that was fetched meanwhile. */
const toldAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const ordersOf = (directory: string): string => join(directory, "orders");

const makeOrders = (directory: string): string => {
  const at = ordersOf(directory);
  makeDirectory(at);
  return at;
};

const names = (directory: string, ending: string): readonly string[] => {
  try {
    return readdirSync(ordersOf(directory)).filter((name) => name.endsWith(ending));
  } catch {
    return []; // nobody ever gave an order
  }
};

/** Seen whole or not at all. */
const writeWhole = (at: string, name: string, content: unknown): void => {
  const fresh = join(at, `.${name}.new`);
  writeFileSync(fresh, JSON.stringify(content));
  renameSync(fresh, join(at, name));
};

const read = <T>(at: string, name: string): T | undefined => {
  try {
    return JSON.parse(readFileSync(join(at, name), "utf8"));
  } catch {
    return undefined;
  }
};
