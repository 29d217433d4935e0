import type { Snapshot } from "../../read-model/reader/reader.ts";
import { capabilityOf, type UcpOperation, type UcpVersion } from "./version.ts";

/** What an answer is made from. */
export interface UcpView {
  readonly snapshot: Snapshot;
  readonly version: UcpVersion;
  readonly operation: UcpOperation;
}

/** A message beside an answer. `path` names what it is about. */
export interface UcpMessage {
  readonly type: "error" | "warning" | "info";
  readonly code?: string;
  readonly content: string;
  readonly severity?: "unrecoverable";
  readonly presentation?: "disclosure";
  readonly path?: string;
  readonly url?: string;
  readonly image_url?: string;
}

export const info = (code: string, content: string, path?: string): UcpMessage => ({
  ...{ type: "info", code, content },
  ...(path !== undefined && { path }),
});

/** Builds the member that every answer begins with. */
export const toEnvelope = ({ version, operation }: UcpView) => ({
  version,
  capabilities: { [capabilityOf(operation)]: [{ version }] },
});

/** Builds an outcome without a product. */
export const notFoundOutcome = (view: UcpView, content: string): object => {
  const { version, capabilities } = toEnvelope(view);
  return {
    ucp: { version, status: "error", capabilities },
    messages: [unrecoverable("not_found", content)],
  };
};

/** Builds the outcome of a shop that hides its prices: it has no catalogue in the words of UCP. */
export const hiddenOutcome = ({ snapshot, version }: UcpView): object => ({
  ucp: { version, status: "error", capabilities: {} },
  messages: [unrecoverable("prices_hidden", "This shop shows no prices to anonymous callers.")],
  continue_url: snapshot.shop()?.url,
});

const unrecoverable = (code: string, content: string): UcpMessage => ({
  ...{ type: "error", code, content },
  severity: "unrecoverable",
});
