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

/** Writes the response to one request. Call one of its functions, once. */
interface Responder {
  done(result: unknown): void;
  failed(error: unknown): void;
}

export interface TakenOrder extends Responder {
  readonly order: Order;
}

/** Maximum number of responses that no client has fetched. */
const maxStoredResponses = 100;

/**
 * Takes the next pending request whose client still waits. Only the projector that owns the lock may call it.
 * @param onRejected called once with the reason of each request that cannot be taken
 * @returns undefined when no request is pending
 */
export const takeOrder = (
  directory: string,
  onRejected: (error: unknown) => void = () => undefined,
): TakenOrder | undefined => {
  const requests = ordersOf(directory);
  for (const name of waiting(directory)) {
    const id = name.slice(0, -ordered.length);
    const pendingPath = join(requests, name);
    const takenPath = join(requests, `${id}${taken}`);
    try {
      renameSync(pendingPath, takenPath);
    } catch (error) {
      // A missing file was cancelled by its client.
      if (existsSync(pendingPath)) {
        passOver(pendingPath);
        onRejected(error);
      }
      continue;
    }
    if (!isReadable(takenPath)) {
      createResponder(requests, id).failed(unreadable);
      continue;
    }
    const file = parseRequestFile(read<unknown>(requests, `${id}${taken}`));
    if (file && !hasEnded(file.by)) {
      const request = parseOrReject(file, createResponder(requests, id), onRejected);
      if (request) return request;
    } else {
      rmSync(takenPath, { force: true, recursive: true });
    }
  }
  return undefined;
};

/** Parses a request. @returns undefined when this version does not support the request, after the response with the error */
const parseOrReject = (
  { order }: RequestFile,
  responder: Responder,
  onRejected: (error: unknown) => void,
): TakenOrder | undefined => {
  try {
    return { order: parseRequest(order), ...responder };
  } catch (error) {
    responder.failed(error);
    onRejected(error);
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

/** Fails the requests that an earlier projector had taken when it ended, so that their clients stop waiting. */
export const answerInterrupted = (directory: string): void => {
  const requests = ordersOf(directory);
  for (const name of names(directory, taken)) {
    const id = name.slice(0, -taken.length);
    createResponder(requests, id).failed(
      new VitrineError(
        "unanswered",
        "the projector ended while it was at this order",
        "vitrine status tells what came of it; then ask again",
      ),
    );
  }
};

const createResponder = (requests: string, id: string): Responder => {
  const respond = (response: Answer): void => {
    const file = join(requests, `${id}${taken}`);
    try {
      overwrite(file, response);
    } catch {
      // The file may belong to another user and be read-only for the projector.
      writeWhole(requests, `${id}${taken}`, response);
    }
    renameSync(file, join(requests, `${id}${answered}`));
    removeOldResponses(requests);
  };
  return {
    done(result) {
      try {
        respond({ ok: true, told: result });
      } catch (error) {
        // The result may not fit on the disk. The message says that the request was carried out.
        const message = `the request was carried out, but its result cannot be written: ${messageOf(error)}`;
        respond({
          ok: false,
          code: "not_writable",
          message,
          hint: "vitrine status shows the result",
        });
      }
    },
    failed(thrown) {
      const { code, hint } = refusalOf(thrown);
      respond({ ok: false, code, message: messageOf(thrown), hint });
    },
  };
};

/** Maps an error of a request to the code and the hint of its response. */
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

/** Overwrites the request file in place: its blocks are allocated, so this works on a full disk. */
const overwrite = (file: string, content: unknown): void => {
  const bytes = Buffer.from(JSON.stringify(content));
  writeFileSync(file, bytes, { flag: "r+" });
  truncateSync(file, bytes.length);
};

const removeOldResponses = (requests: string): void => {
  const all = readdirSync(requests).filter((name) => name.endsWith(answered));
  if (all.length <= maxStoredResponses) return;
  const responses = all.map((name) => ({ name, time: modifiedAt(join(requests, name)) }));
  responses.sort((a, b) => b.time - a.time);
  for (const { name } of responses.slice(maxStoredResponses)) {
    try {
      rmSync(join(requests, name), { force: true, recursive: true });
    } catch {
      // The file may belong to another user. This does not affect the current response.
    }
  }
};

/** Returns milliseconds since 1970, and 0 for a response that its client has fetched meanwhile. */
const modifiedAt = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
