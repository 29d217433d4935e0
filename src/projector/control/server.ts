import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { asRefusal, messageOf, VitrineError } from "../../errors.ts";
import { isOfFile } from "../../lmdb/error-codes.ts";
import { hasEnded } from "../../platform/process-identity.ts";
import { parseRequest, parseRequestFile, type RequestFile } from "./parse-request.ts";
import {
  type Answer,
  answered,
  names,
  type Order,
  ordered,
  ordersOf,
  passOver,
  read,
  taken,
  waiting,
  writeWhole,
} from "./request.ts";

/** To be called once, when the order was carried out or could not be. */
interface Answering {
  done(told: unknown): void;
  failed(error: unknown): void;
}

export interface TakenOrder extends Answering {
  readonly order: Order;
}

/** Answers that nobody came for. */
const answersKept = 100;

/**
 * The next order that somebody waits for. Only for the one writer of the data directory.
 * @param onStuck called once with the reason of each that cannot be taken
 */
export const takeOrder = (
  directory: string,
  onStuck: (error: unknown) => void = () => undefined,
): TakenOrder | undefined => {
  const at = ordersOf(directory);
  for (const name of waiting(directory)) {
    const id = name.slice(0, -ordered.length);
    try {
      renameSync(join(at, name), join(at, `${id}${taken}`));
    } catch (error) {
      // Else it was withdrawn meanwhile.
      if (existsSync(join(at, name))) {
        passOver(join(at, name));
        onStuck(error);
      }
      continue;
    }
    if (!isReadable(join(at, `${id}${taken}`))) {
      answering(at, id).failed(unreadable);
      continue;
    }
    const request = parseRequestFile(read<unknown>(at, `${id}${taken}`));
    if (request && !hasEnded(request.by)) {
      const order = orderOf(request, answering(at, id), onStuck);
      if (order) return order;
    } else {
      rmSync(join(at, `${id}${taken}`), { force: true, recursive: true });
    }
  }
  return undefined;
};

/** Answers a request that cannot be carried out by this version. @returns undefined then */
const orderOf = (
  { order }: RequestFile,
  answer: Answering,
  onStuck: (error: unknown) => void,
): TakenOrder | undefined => {
  try {
    return { order: parseRequest(order), ...answer };
  } catch (error) {
    answer.failed(error);
    onStuck(error);
    return undefined;
  }
};

const isReadable = (file: string): boolean => {
  try {
    closeSync(openSync(file, "r"));
    return true;
  } catch {
    return false;
  }
};

const unreadable = new VitrineError(
  "not_writable",
  "the user of the projector may not read the order",
  "run the command as that user",
);

/** Answers the orders that a projector was at when it ended, so that nobody waits for them. */
export const answerInterrupted = (directory: string): void => {
  const at = ordersOf(directory);
  for (const name of names(directory, taken)) {
    const id = name.slice(0, -taken.length);
    answering(at, id).failed(
      new VitrineError(
        "unanswered",
        "the projector ended while it was at this order",
        "vitrine status tells what came of it; then ask again",
      ),
    );
  }
};

const answering = (at: string, id: string): Answering => {
  const answer = (told: Answer): void => {
    const file = join(at, `${id}${taken}`);
    try {
      writeInPlace(file, told);
    } catch {
      // Not ours to write: another user's order, say.
      writeWhole(at, `${id}${taken}`, told);
    }
    renameSync(file, join(at, `${id}${answered}`));
    forgetOldAnswers(at);
  };
  return {
    done(told) {
      try {
        answer({ ok: true, told });
      } catch (error) {
        // What was told may take more room than there is: nobody may take it for a refusal.
        const message = `it was carried out, but not what came of it can be told: ${messageOf(error)}`;
        answer({ ok: false, code: "not_writable", message, hint: "vitrine status tells" });
      }
    },
    failed(thrown) {
      const { code, hint } = refusalOf(thrown);
      answer({ ok: false, code, message: messageOf(thrown), hint });
    },
  };
};

/** Whose fault it is that a request could not be carried out, and what to do. */
export const refusalOf = (thrown: unknown): Pick<VitrineError, "code" | "hint"> => {
  const error = asRefusal(thrown);
  if (error instanceof VitrineError) return error;
  return isOfFile(thrown)
    ? {
        code: "not_writable",
        hint: "look at the disk of the data directory, and at the rights there",
      }
    : {
        code: "internal",
        hint: "this is a bug in Vitrine: report it with the log of the projector",
      };
};

/** A file that is there has its room on the disk already: on a full one there is no more. */
const writeInPlace = (file: string, content: unknown): void => {
  const bytes = Buffer.from(JSON.stringify(content));
  writeFileSync(file, bytes, { flag: "r+" });
  truncateSync(file, bytes.length);
};

const forgetOldAnswers = (at: string): void => {
  const all = readdirSync(at).filter((name) => name.endsWith(answered));
  if (all.length <= answersKept) return;
  const told = all.map((name) => ({ name, time: toldAt(join(at, name)) }));
  told.sort((a, b) => b.time - a.time);
  for (const { name } of told.slice(answersKept)) {
    try {
      rmSync(join(at, name), { force: true, recursive: true });
    } catch {
      // Another user's, say: the answer that was just given is none the worse for it.
    }
  }
};

/** Milliseconds since 1970; 0 for an answer that was fetched meanwhile. */
const toldAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
