import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Claims of a bearer token: its label, and the epoch of that label's tokens it belongs to. */
export interface TokenClaims {
  readonly label: string;
  readonly tokenEpoch: number;
  /** Set when the agent registered itself. Tokens of versions without this claim count as issued by the owner. */
  readonly isSelfIssued?: true;
}

/** Lets secret scanners, and people, recognise a token. */
const tokenPrefix = "vit_";

/** Fourth claim of a token that an agent gave itself. */
const selfIssued = "self";

/** Separates HMAC inputs by domain, because one secret signs tokens and derives nonces. */
const hmacDomains = { token: "vitrine token v1\n", nonce: "vitrine nonce v1\n" } as const;

/**
 * Signs a token: `vit_`, the claims in base64url, a dot, and their HMAC-SHA256 (Contract §6). Tokens are not stored:
 * every replica that shares the secret can verify them.
 * @param nonce distinguishes tokens of one label; the same nonce gives the same token
 */
export const signToken = (
  { label, tokenEpoch, isSelfIssued }: TokenClaims,
  secret: string,
  nonce: string = randomBytes(12).toString("base64url"),
): string => {
  const claims = [label, tokenEpoch, nonce, ...(isSelfIssued ? [selfIssued] : [])];
  const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
  return `${tokenPrefix}${payload}.${sign("token", payload, secret).toString("base64url")}`;
};

/**
 * Derives a nonce from a client, its idempotency key and a label, so that a repeated registration gives the same token without
 * storage.
 */
export const deriveNonce = (
  { client, key }: { readonly client: string; readonly key: string },
  label: string,
  secret: string,
): string =>
  sign("nonce", JSON.stringify([client, key, label]), secret)
    .toString("base64url")
    .slice(0, 22);

/**
 * Verifies a token's signature in constant time and reads its claims.
 * @returns undefined when the token was not signed with this secret
 */
export const readToken = (token: string, secret: string): TokenClaims | undefined => {
  if (!token.startsWith(tokenPrefix)) return undefined;
  const [payload = "", signature = "", ...rest] = token.slice(tokenPrefix.length).split(".");
  // Compares the base64url text and not the decoded bytes, because several texts decode to the same bytes.
  const expected = sign("token", payload, secret).toString("base64url");
  if (rest.length > 0 || !equal(signature, expected)) return undefined;
  const [label, tokenEpoch, , origin] = JSON.parse(Buffer.from(payload, "base64url").toString());
  return { label, tokenEpoch, ...(origin === selfIssued && { isSelfIssued: true }) };
};

const sign = (domain: keyof typeof hmacDomains, text: string, secret: string): Buffer =>
  createHmac("sha256", secret).update(hmacDomains[domain]).update(text).digest();

const equal = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};
