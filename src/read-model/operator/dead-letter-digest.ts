import { createHash } from "node:crypto";
import type { DeadLetter } from "../schema/checkpoint.ts";

/**
 * Fingerprints the event of a dead letter, without the reason it was refused for, which another version may put in other
 * words.
 */
export const digestOfLetter = ({ subject, headers, body }: DeadLetter): string => {
  const sorted = Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([subject, sorted, body]))
    .digest("base64url");
};
