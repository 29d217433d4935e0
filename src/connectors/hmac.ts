import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Verifies a signature as Shopify and WooCommerce make it: HMAC-SHA256 of the raw body in base64.
 * @param secrets one, or two while a secret is rotated
 */
export const isSigned = (
  body: Uint8Array,
  signature: string | undefined,
  secrets: readonly string[],
): boolean => {
  const actual = Buffer.from(signature ?? "", "base64");
  let isMatch = false;
  for (const secret of secrets) {
    const expected = createHmac("sha256", secret).update(body).digest();
    // Each secret is compared, so that the time does not say which one matches.
    if (actual.length === expected.length && timingSafeEqual(actual, expected)) isMatch = true;
  }
  return isMatch;
};

/** Verifies a bearer secret, as commercetools' forwarders send it. */
export const isBearer = (header: string | undefined, secrets: readonly string[]): boolean => {
  const digest = (text: string) => createHmac("sha256", "vitrine").update(text).digest();
  const actual = digest((header ?? "").replace(/^bearer +/i, "").trim());
  return secrets.filter((secret) => timingSafeEqual(actual, digest(secret))).length > 0;
};
