import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isErrorCode, VitrineError } from "../../errors.ts";
import { mkdirDurable } from "../../platform/durable-fs.ts";
import { isObject, readJson, writeFileAtomic } from "../../platform/json-file.ts";
import { currentProcess } from "../../platform/process-identity.ts";
import { assertNotRootInForeignDirectory } from "../../read-model/generations/directory-marker.ts";
import type { ControlResults } from "./execute.ts";
import {
  type ControlResponse,
  isControlResponse,
  type RequestFile,
  type RequestKind,
  type RequestOf,
  requestSuffix,
  requestsDirectory,
  responseSuffix,
} from "./request.ts";

const pollIntervalMs = 50;

/** Time after which a response is slow: a projector that follows its log takes a request within a second. */
const slowAfterMs = 3_000;

/** Maximum polls without a running projector. One service may be replacing another, so a single poll is not enough. */
const maxPollsWithoutProjector = 40;

/**
 * Sends a control request to the running projector, and waits for its response.
 * @param directory path of the data directory
 * @param isProjectorRunning checks whether a projector runs, because only a projector takes the request
 * @param onSlow called once when the response takes longer than 3 s
 * @returns the result of the request
 * @throws the error that the projector responded with; `unanswered` when no projector takes the request or the signal aborts
 * first
 */
export const sendRequest = async <K extends RequestKind>(
  directory: string,
  request: RequestOf<K>,
  isProjectorRunning: () => Promise<boolean>,
  signal: AbortSignal,
  onSlow: () => void = () => undefined,
): Promise<ControlResults[K]> => {
  assertNotRootInForeignDirectory(directory);
  const requests = requestsDirectory(directory);
  mkdirDurable(requests);
  const id = randomUUID();
  const file = { request, by: currentProcess() } satisfies RequestFile;
  writeFileAtomic(join(requests, `${id}${requestSuffix}`), JSON.stringify(file));
  const slow = setTimeout(onSlow, slowAfterMs);
  const response = await waitForResponse(
    requests,
    `${id}${responseSuffix}`,
    isProjectorRunning,
    signal,
  ).finally(() => clearTimeout(slow));
  if (response?.ok) return parseResult(request.kind, response.result);
  if (response) {
    const { code, message, hint } = response;
    throw new VitrineError(isErrorCode(code) ? code : "internal", message, hint);
  }
  throw cancelRequest(requests, id)
    ? new VitrineError(
        "unanswered",
        "the projector did not take the request, so nothing was changed",
      )
    : new VitrineError(
        "unanswered",
        "the projector took the request but has not answered yet",
        "vitrine status shows the result",
      );
};

const parseResult = <K extends RequestKind>(kind: K, result: unknown): ControlResults[K] => {
  if (isControlResult(kind, result)) return result;
  throw new VitrineError(
    "unanswered",
    `the projector executed the request ${kind}, and its answer cannot be read`,
    "vitrine status shows the result; run commands of the version that the service runs",
  );
};

const resultMembers: { readonly [K in RequestKind]: readonly (keyof ControlResults[K])[] } = {
  adopt: ["generation", "previous"],
  rollback: ["generation", "previous"],
  retry: ["retried", "refused"],
  discard: ["discarded"],
};

/** Checks that a response has the members of a result of a kind. A projector of another version may have written it. */
const isControlResult = <K extends RequestKind>(
  kind: K,
  value: unknown,
): value is ControlResults[K] =>
  isObject(value) && resultMembers[kind].every((name) => Object.hasOwn(value, name));

const waitForResponse = async (
  requests: string,
  name: string,
  isProjectorRunning: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<ControlResponse | undefined> => {
  let pollsWithoutProjector = 0;
  while (!signal.aborted && pollsWithoutProjector < maxPollsWithoutProjector) {
    const response = readJson(join(requests, name), isControlResponse);
    if (response) {
      rmSync(join(requests, name), { force: true });
      return response;
    }
    pollsWithoutProjector = (await isProjectorRunning()) ? 0 : pollsWithoutProjector + 1;
    await delay(pollIntervalMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
};

/** Deletes a request that was not taken. @returns false when the projector has taken it */
const cancelRequest = (requests: string, id: string): boolean => {
  try {
    rmSync(join(requests, `${id}${requestSuffix}`));
    return true;
  } catch {
    return false;
  }
};
