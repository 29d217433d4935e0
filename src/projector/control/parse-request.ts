import { VitrineError } from "../../errors.ts";
import { isObject } from "../../platform/json-file.ts";
import { isProcessIdentity, type ProcessIdentity } from "../../platform/process-identity.ts";
import type { ControlRequest } from "./request.ts";

/** Content of a request file whose process is valid and whose request is not checked yet. */
export interface UncheckedRequestFile {
  readonly by: ProcessIdentity;
  readonly order?: unknown;
}

/** Checks that the content names a process that could wait for the response. */
export const isRequestFile = (content: unknown): content is UncheckedRequestFile =>
  isObject(content) && isProcessIdentity(content.by);

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

const isSequences = (value: unknown): value is readonly number[] | null =>
  value === null || (Array.isArray(value) && value.every(isSequence));

const isSequence = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
