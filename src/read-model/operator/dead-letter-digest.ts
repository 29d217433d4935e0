import { createHash } from "node:crypto";
import type { DeadLetter } from "../schema/checkpoint.ts";

/** Computes SHA-256 of the event in a dead letter, without the reason, because its wording may change between versions. */
export const computeDeadLetterDigest = ({ subject, headers, body }: DeadLetter): string => {
  const sorted = Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([subject, sorted, body]))
    .digest("base64url");
};
