import { type Guard, hasMembers, isObject } from "../../platform/json-file.ts";
import type { DiscardResult } from "../dead-letters/dead-letters.ts";
import type { RetryReport } from "../dead-letters/retry-report.ts";
import type { ControlRequest } from "./request.ts";

export interface ControlResults {
  readonly adopt: SwapResult;
  readonly rollback: SwapResult;
  readonly retry: RetryReport;
  readonly discard: DiscardResult;
}

/** Result of `adopt` and `rollback`: names of generations. */
export interface SwapResult {
  readonly generation: string;
  readonly previous: string;
}

export type RequestKind = ControlRequest["kind"];

export type RequestOf<K extends RequestKind> = {
  [P in K]: Extract<ControlRequest, { readonly kind: P }>;
}[K];

const isSwapResult: Guard<SwapResult> = (value): value is SwapResult =>
  hasMembers(value, { generation: "string", previous: "string" });

/** Checks that the response to a request has the result of its kind. A projector of another version may have written it. */
export const isControlResult: { readonly [K in RequestKind]: Guard<ControlResults[K]> } = {
  adopt: isSwapResult,
  rollback: isSwapResult,
  retry: (value): value is RetryReport =>
    isObject(value) && Array.isArray(value.retried) && Array.isArray(value.refused),
  discard: (value): value is DiscardResult => isObject(value) && Array.isArray(value.discarded),
};
