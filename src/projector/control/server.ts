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
import { mapDiskFull, messageOf, VitrineError } from "../../errors.ts";
import { isFileError } from "../../lmdb/error-codes.ts";
import { readJson, writeFileAtomic } from "../../platform/json-file.ts";
import { hasExited } from "../../platform/process-identity.ts";
import { isRequestFile, parseRequest, type UncheckedRequestFile } from "./parse-request.ts";
import {
  type ControlRequest,
  type ControlResponse,
  ignoreFile,
  listFiles,
  pendingRequests,
  requestSuffix,
  requestsDirectory,
  responseSuffix,
  takenSuffix,
} from "./request.ts";

type Responder = ReturnType<typeof createResponder>;

export type TakenRequest = Responder & { readonly request: ControlRequest };

/** Maximum number of responses that no client has fetched. */
const maxStoredResponses = 100;

/**
 * Takes the next pending request whose client still waits. Only the projector that owns the lock may call it.
 * @param onRejected called once with the reason of each request that cannot be taken
 * @returns undefined when no request is pending
 */
export const takeRequest = (
  directory: string,
  onRejected: (error: unknown) => void = () => undefined,
): TakenRequest | undefined => {
  const requests = requestsDirectory(directory);
  for (const name of pendingRequests(directory)) {
    const id = name.slice(0, -requestSuffix.length);
    const pendingPath = join(requests, name);
    const takenPath = join(requests, `${id}${takenSuffix}`);
    try {
      renameSync(pendingPath, takenPath);
    } catch (error) {
      // A missing file was cancelled by its client.
      if (existsSync(pendingPath)) {
        ignoreFile(pendingPath);
        onRejected(error);
      }
      continue;
    }
    if (!isReadable(takenPath)) {
      createResponder(requests, id).failed(unreadable);
      continue;
    }
    const file = readJson(takenPath, isRequestFile);
    if (file && !hasExited(file.by)) {
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
  { request }: UncheckedRequestFile,
  responder: Responder,
  onRejected: (error: unknown) => void,
): TakenRequest | undefined => {
  try {
    return { request: parseRequest(request), ...responder };
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
  "the user of the projector may not read the request",
  "run the command as that user",
);

/** Fails the requests that an earlier projector had taken when it ended, so that their clients stop waiting. */
export const failInterruptedRequests = (directory: string): void => {
  const requests = requestsDirectory(directory);
  for (const name of listFiles(directory, takenSuffix)) {
    const id = name.slice(0, -takenSuffix.length);
    createResponder(requests, id).failed(
      new VitrineError(
        "unanswered",
        "the projector stopped while it executed this request",
        "vitrine status shows the result; then run the command again",
      ),
    );
  }
};

/** Creates the functions that write the response to one request. Call one of them, once. */
const createResponder = (requests: string, id: string) => {
  const respond = (response: ControlResponse): void => {
    const file = join(requests, `${id}${takenSuffix}`);
    try {
      overwrite(file, response);
    } catch {
      // The file may belong to another user and be read-only for the projector.
      writeFileAtomic(file, JSON.stringify(response));
    }
    renameSync(file, join(requests, `${id}${responseSuffix}`));
    removeOldResponses(requests);
  };
  return {
    done(result: unknown): void {
      try {
        respond({ ok: true, result });
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
    failed(thrown: unknown): void {
      const { code, hint } = describeFailure(thrown);
      respond({ ok: false, code, message: messageOf(thrown), hint });
    },
  };
};

/** Maps an error of a request to the code and the hint of its response. */
export const describeFailure = (thrown: unknown): Pick<VitrineError, "code" | "hint"> => {
  const error = mapDiskFull(thrown);
  if (error instanceof VitrineError) return error;
  return isFileError(thrown)
    ? {
        code: "not_writable",
        hint: "check the disk of the data directory, and the rights there",
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
  const all = readdirSync(requests).filter((name) => name.endsWith(responseSuffix));
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
