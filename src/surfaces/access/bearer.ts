import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** What a bearer token says of itself: whose it is, and which generation of that label's tokens it belongs to. */
export interface TokenFacts {
  readonly label: string;
  readonly generation: number;
}

/** So that scanners of leaked secrets, and people, recognise one. */
export const tokenPrefix = "vit_";

/** Keys of different uses never meet, though one secret makes them all. */
const uses = { token: "vitrine token v1\n", nonce: "vitrine nonce v1\n" } as const;

/**
 * A token: `vit_`, what it says in base64url, a dot, and its HMAC-SHA256 (contract section 6). It is stored
 * nowhere, and every replica that shares the secret knows it.
 * @param nonce tells two tokens of one label apart; the same nonce gives the same token
 */
export const signToken = (
  { label, generation }: TokenFacts,
  secret: string,
  nonce: string = randomBytes(12).toString("base64url"),
): string => {
  const payload = Buffer.from(JSON.stringify([label, generation, nonce])).toString("base64url");
  return `${tokenPrefix}${payload}.${sign("token", payload, secret).toString("base64url")}`;
};

/**
 * A nonce that is the same whenever the same registration is asked for again, so that its answer needs no storage.
 */
export const nonceOf = (idempotencyKey: string, label: string, secret: string): string =>
  sign("nonce", JSON.stringify([idempotencyKey, label]), secret)
    .toString("base64url")
    .slice(0, 22);

/** What a token says, once its signature was compared, in constant time; undefined when we did not make it. */
export const readToken = (token: string, secret: string): TokenFacts | undefined => {
  if (!token.startsWith(tokenPrefix)) return undefined;
  const [payload = "", signature = "", ...rest] = token.slice(tokenPrefix.length).split(".");
  // Comparing the text, not the bytes it stands for: one token has one spelling.
  const expected = sign("token", payload, secret).toString("base64url");
  if (rest.length > 0 || !equal(signature, expected)) return undefined;
  const [label, generation] = JSON.parse(Buffer.from(payload, "base64url").toString());
  return { label, generation };
};

const sign = (use: keyof typeof uses, text: string, secret: string): Buffer =>
  createHmac("sha256", secret).update(uses[use]).update(text).digest();

const equal = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};
