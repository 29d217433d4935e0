import type { Snapshot } from "../../read-model/reader/reader.ts";
import { nonceOf, signToken } from "./bearer.ts";
import { firstGeneration, labelPattern, labelRule } from "./tokens.ts";

/** Whether agents give themselves tokens, or ask the store's owner for one (contract section 6). */
export type Registration = "open" | "closed";

/** Which label an idempotency key came with first: the one thing about registrations that is remembered. */
export interface IdempotencyKeys {
  /** Remembers the first label of a key. @returns whether `label` is that one */
  claim(key: string, label: string): boolean;
}

/** Who may have a token of the tool endpoint, and what tokens are known by. */
export interface Access {
  readonly registration: Registration;
  /** What tokens are signed with, the same in every process and on every replica. */
  readonly secret: string;
  readonly keys: IdempotencyKeys;
}

export interface RegisterWorld {
  readonly secret: string;
  readonly baseUrl: string;
  readonly keys: IdempotencyKeys;
}

/** What is told of a new token, as the body of 201. */
export interface Registered {
  readonly token: string;
  readonly token_type: "Bearer";
  readonly label: string;
  readonly expires_at: null;
  /** Where the token is used. */
  readonly endpoint: string;
}

export type RegisterAnswer =
  | { readonly registered: Registered }
  | { readonly refused: "bad_request" | "forbidden"; readonly message: string };

/**
 * Issues a token for a label (§4.3). The same idempotency key and label give the same token, on every replica and
 * without storage, as long as the label is not regenerated.
 * @param body JSON: `{"label": "1 to 100 characters"}`; other members are passed over
 * @param key the client's idempotency key, without quotes
 */
export const register = (
  moment: Snapshot,
  body: Uint8Array,
  key: string | undefined,
  { secret, baseUrl, keys }: RegisterWorld,
): RegisterAnswer => {
  const read = readLabel(body);
  if ("problem" in read) return { refused: "bad_request", message: read.problem };
  const { label } = read;
  const agent = moment.agent(label);
  if (agent?.revoked) {
    return { refused: "forbidden", message: "The store withdrew access for this label." };
  }
  if (key !== undefined && !keys.claim(key, label)) {
    const message = "This Idempotency-Key came with another label before: use a new key.";
    return { refused: "bad_request", message };
  }
  const nonce = key === undefined ? undefined : nonceOf(key, label, secret);
  const token = signToken(
    { label, generation: agent?.generation ?? firstGeneration },
    secret,
    nonce,
  );
  const endpoint = `${baseUrl}/agent/mcp`;
  return { registered: { token, token_type: "Bearer", label, expires_at: null, endpoint } };
};

type ReadLabel = { readonly label: string } | { readonly problem: string };

const readLabel = (body: Uint8Array): ReadLabel => {
  const sent = parsed(body);
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) {
    return { problem: 'Send a JSON object, such as {"label": "price-watcher"}.' };
  }
  const label = "label" in sent ? sent.label : undefined;
  if (label == null) return { problem: `label is missing: it must be ${labelRule}.` };
  if (typeof label !== "string" || !labelPattern.test(label)) {
    return { problem: `label must be ${labelRule}.` };
  }
  return { label };
};

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Undefined for what is no JSON in UTF-8. */
const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
};

/**
 * The key of an `Idempotency-Key` header, which may be quoted or bare.
 * @returns undefined for a header that holds no key of 1 to 255 printable characters
 */
export const readIdempotencyKey = (header: string): string | undefined => {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header);
  const key = quoted ? (quoted[1] ?? "").replace(/\\(.)/g, "$1") : header;
  return /^[\x20-\x7e]{1,255}$/.test(key) ? key : undefined;
};
