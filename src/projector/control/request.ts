import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hasMembers, isObject } from "../../platform/json-file.ts";
import type { ProcessIdentity } from "../../platform/process-identity.ts";

/**
 * A request of a command to the running projector of a data directory. The command writes it to `requests/<id>.json`, so that it
 * needs no port, and any user with write permission can send it. The request survives a restart of the projector, but not the end
 * of its command: the projector drops a request whose command no longer waits. The projector takes the file by a rename, and
 * responds in `requests/<id>.done`.
 */
export type ControlRequest =
  /** Promotes a generation that was built in `scratch/`. */
  | { readonly kind: "adopt"; readonly scratch: string }
  /** Makes the previous generation the live one. */
  | { readonly kind: "rollback" }
  /** Applies dead letters again; null selects all. */
  | { readonly kind: "retry"; readonly sequences: readonly number[] | null }
  /** Stops counting dead letters as open; null selects all. */
  | { readonly kind: "discard"; readonly sequences: readonly number[] | null };

export type RequestKind = ControlRequest["kind"];

export type RequestOf<K extends RequestKind> = {
  [P in K]: Extract<ControlRequest, { readonly kind: P }>;
}[K];

/** Content of a request file, as JSON. A command and a projector of two versions may exchange it. */
export interface RequestFile {
  readonly request: ControlRequest;
  readonly by: ProcessIdentity;
}

export type ControlResponse =
  | { readonly ok: true; readonly result?: unknown }
  | {
      readonly ok: false;
      /** An error code; one of another version when that projector wrote the file. */
      readonly code: string;
      readonly message: string;
      readonly hint: string;
    };

export const isControlResponse = (content: unknown): content is ControlResponse =>
  isObject(content) &&
  (content.ok === true ||
    (content.ok === false &&
      hasMembers(content, { code: "string", message: "string", hint: "string" })));

/** Suffixes of the file names of a pending request, a taken request and a response. */
export const requestSuffix = ".json";
export const takenSuffix = ".taken";
export const responseSuffix = ".done";

/** Checks whether a control request is pending. @param directory path of the data directory */
export const hasPendingRequest = (directory: string): boolean =>
  pendingRequests(directory).length > 0;

/** Lists the file names of the requests that can be taken. */
export const pendingRequests = (directory: string): readonly string[] =>
  listFiles(directory, requestSuffix).filter(
    (name) => !ignoredFiles.has(join(requestsDirectory(directory), name)),
  );

/** Paths of requests that this process cannot rename. They are ignored, because retries would block all other work. */
const ignoredFiles = new Set<string>();

export const ignoreFile = (path: string): void => void ignoredFiles.add(path);

export const requestsDirectory = (directory: string): string => join(directory, "requests");

/** Lists the file names with a suffix in the directory of the control requests. */
export const listFiles = (directory: string, suffix: string): readonly string[] => {
  try {
    return readdirSync(requestsDirectory(directory)).filter((name) => name.endsWith(suffix));
  } catch {
    return []; // The directory does not exist before the first request.
  }
};
