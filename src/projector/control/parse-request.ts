import { VitrineError } from "../../errors.ts";
import type { ProcessIdentity } from "../../platform/process-identity.ts";
import type { ControlRequest } from "./request.ts";

/** Content of a request file whose process is valid and whose request is not checked yet. */
export interface UncheckedRequestFile {
  readonly by: ProcessIdentity;
  readonly order: unknown;
}

/** @returns undefined when the content names no process that could wait for the response */
export const parseRequestFile = (content: unknown): UncheckedRequestFile | undefined =>
  isObject(content) && isProcessNote(content.by)
    ? { by: content.by, order: content.order }
    : undefined;

type Kind = ControlRequest["kind"];
type Members = Readonly<Record<string, unknown>>;

/** Builds a control request of each kind; undefined when a member is missing or has the wrong type. */
const parsers: {
  readonly [K in Kind]: (members: Members) => (ControlRequest & { kind: K }) | undefined;
} = {
  adopt: ({ scratch }) => (typeof scratch === "string" ? { kind: "adopt", scratch } : undefined),
  rollback: () => ({ kind: "rollback" }),
  retry: ({ sequences }) => (isSequences(sequences) ? { kind: "retry", sequences } : undefined),
  discard: ({ sequences }) => (isSequences(sequences) ? { kind: "discard", sequences } : undefined),
};

/**
 * Checks a control request that was read from a file, as another version of Vitrine may have written it.
 * @throws `usage` when this version does not know the kind, or a member is missing or has the wrong type
 */
export const parseRequest = (content: unknown): ControlRequest => {
  const members = isObject(content) ? content : {};
  const { kind } = members;
  if (!isKind(kind)) throw unsupportedRequest(`does not know the request ${JSON.stringify(kind)}`);
  const parsed = parsers[kind](members);
  if (parsed === undefined)
    throw unsupportedRequest(`cannot read the members of the request "${kind}"`);
  return parsed;
};

const unsupportedRequest = (why: string): VitrineError =>
  new VitrineError(
    "usage",
    `the running projector ${why}; it knows ${Object.keys(parsers).join(", ")}`,
    "use the command of the same version of Vitrine as the projector, or restart the projector with this version",
  );

const isKind = (kind: unknown): kind is Kind =>
  typeof kind === "string" && Object.hasOwn(parsers, kind);

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

const isSequences = (value: unknown): value is readonly number[] | null =>
  value === null || (Array.isArray(value) && value.every(isSequence));

const isSequence = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

/** A process id below 1 stands for a group of processes. */
const isProcessNote = (by: unknown): by is ProcessIdentity =>
  isObject(by) &&
  Number.isSafeInteger(by.pid) &&
  Number(by.pid) > 0 &&
  typeof by.place === "string" &&
  (by.started === undefined || typeof by.started === "string");
