import { VitrineError } from "../../errors.ts";
import { isObject } from "../../platform/json-file.ts";
import { isProcessIdentity, type ProcessIdentity } from "../../platform/process-identity.ts";
import type { ControlRequest, RequestKind } from "./request.ts";

/** Content of a request file whose process is valid and whose request is not checked yet. */
export interface UncheckedRequestFile {
  readonly by: ProcessIdentity;
  readonly request?: unknown;
}

/** Checks that the content names a process that could wait for the response. */
export const isRequestFile = (content: unknown): content is UncheckedRequestFile =>
  isObject(content) && isProcessIdentity(content.by);

type Members = Readonly<Record<string, unknown>>;

const checks: { readonly [K in RequestKind]: (members: Members) => boolean } = {
  adopt: ({ scratch }) => typeof scratch === "string",
  rollback: () => true,
  retry: ({ sequences }) => isSequences(sequences),
  discard: ({ sequences }) => isSequences(sequences),
};

/**
 * Checks a control request that was read from a file, as another version of Vitrine may have written it.
 * @throws `usage` when this version does not know the kind, or a member is missing or has the wrong type
 */
export const parseRequest = (content: unknown): ControlRequest => {
  const members = isObject(content) ? content : {};
  if (isRequest(members)) return members;
  const { kind } = members;
  const why = isKind(kind)
    ? `cannot read the members of the request "${kind}"`
    : `does not know the request ${JSON.stringify(kind)}`;
  throw new VitrineError(
    "usage",
    `the running projector ${why}; it knows ${Object.keys(checks).join(", ")}`,
    "use the command of the same version of Vitrine as the projector, or restart the projector with this version",
  );
};

const isRequest = (members: Members): members is ControlRequest & Members =>
  isKind(members.kind) && checks[members.kind](members);

const isKind = (kind: unknown): kind is RequestKind =>
  typeof kind === "string" && Object.hasOwn(checks, kind);

const isSequences = (value: unknown): value is readonly number[] | null =>
  value === null || (Array.isArray(value) && value.every(isSequence));

const isSequence = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
