import type { Snapshot } from "../../read-model/reader/reader.ts";
import { isObject, parseJson } from "../json.ts";
import { deriveNonce, signToken } from "./bearer.ts";
import { initialTokenEpoch, labelPattern, labelRule, type ToolsAccess } from "./tokens.ts";

/** Mode of issuing tokens: by agents to themselves (`open`), or by the store's owner (`closed`) (Contract §6). */
export type RegistrationMode = "open" | "closed";

/** What becomes of tokens that agents gave themselves, while registration is closed (Contract §6). */
export type SelfIssuedTokens = "refused" | "accepted";

/** Stores the first label of each idempotency key, the only stored fact about registrations. */
interface IdempotencyKeys {
  /** Stores `label` unless the client's key has one. @returns whether `label` is the key's first label */
  claim(client: string, key: string, label: string): boolean;
}

/** Settings for tokens of the tool endpoint. */
export interface Access {
  readonly registration: RegistrationMode;
  /** Whether tokens that agents gave themselves are accepted while registration is closed. */
  readonly selfIssuedTokens: SelfIssuedTokens;
  readonly toolsAccess: ToolsAccess;
  /** Signs tokens; the same in every process and on every replica. */
  readonly secret: string;
  readonly keys: IdempotencyKeys;
}

export interface RegistrationDeps extends Pick<Access, "secret" | "keys"> {
  readonly baseUrl: string;
}

/** Body of the 201 response to a registration. */
interface IssuedToken {
  readonly token: string;
  readonly token_type: "Bearer";
  readonly label: string;
  readonly expires_at: null;
  /** URL of the endpoint that takes the token. */
  readonly endpoint: string;
}

/** An idempotency key, without quotes, and the address or network of its client, because clients may choose the same key. */
interface RetryKey {
  readonly client: string;
  readonly key: string;
}

type RegistrationResult =
  | { readonly registered: IssuedToken }
  | { readonly refused: "bad_request" | "forbidden"; readonly message: string };

/**
 * Issues a token for a label (Specification §4.3). The same client, idempotency key and label give the same token, on every
 * replica and without storage, until the label's tokens are regenerated.
 * @param body JSON: `{"label": "1 to 100 characters"}`; other members are ignored
 */
export const register = (
  snapshot: Snapshot,
  body: Uint8Array,
  retry: RetryKey | undefined,
  { secret, baseUrl, keys }: RegistrationDeps,
): RegistrationResult => {
  const result = readLabel(body);
  if ("problem" in result) return { refused: "bad_request", message: result.problem };
  const { label } = result;
  const agent = snapshot.agent(label);
  if (agent?.revoked) {
    return { refused: "forbidden", message: "The store revoked access for this label." };
  }
  if (retry && !keys.claim(retry.client, retry.key, label)) {
    const message = "This Idempotency-Key was used with another label: use a new key.";
    return { refused: "bad_request", message };
  }
  const nonce = retry && deriveNonce(retry, label, secret);
  const tokenEpoch = agent?.tokenEpoch ?? initialTokenEpoch;
  const token = signToken({ label, tokenEpoch, isSelfIssued: true }, secret, nonce);
  const endpoint = `${baseUrl}/agent/mcp`;
  return { registered: { token, token_type: "Bearer", label, expires_at: null, endpoint } };
};

type LabelResult = { readonly label: string } | { readonly problem: string };

const readLabel = (body: Uint8Array): LabelResult => {
  const json = parseJson(body);
  if (!isObject(json)) {
    return { problem: 'Send a JSON object, such as {"label": "price-watcher"}.' };
  }
  const { label } = json;
  if (label == null) return { problem: `label is missing: it must be ${labelRule}.` };
  if (typeof label !== "string" || !labelPattern.test(label)) {
    return { problem: `label must be ${labelRule}.` };
  }
  return { label };
};

/**
 * Reads the key of an `Idempotency-Key` header, quoted or bare.
 * @returns undefined when the key is not 1 to 255 printable ASCII characters
 */
export const readIdempotencyKey = (header: string): string | undefined => {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header);
  const key = quoted ? (quoted[1] ?? "").replace(/\\(.)/g, "$1") : header;
  return /^[\x20-\x7e]{1,255}$/.test(key) ? key : undefined;
};
