import type { StreamConfig } from "nats";
import { VitrineError } from "../../errors.ts";
import type { NewMessage } from "../event-log.ts";

/**
 * Asserts that the stream itself takes a message, because the broker stores it in any stream with its subject. No header names the
 * stream, because the broker would store that header, and mirrors skip such messages.
 */
export function assertTakes(
  address: string,
  { subjects, mirror, sources }: StreamConfig,
  { id, subject }: NewMessage,
): void {
  if (subjects?.some((pattern) => matches(pattern.split("."), subject.split(".")))) return;
  const origins = [mirror, ...(sources ?? [])].flatMap((each) => each?.name ?? []);
  const [what, hint] =
    origins.length === 0
      ? ["another stream or no stream takes the subject", "give the stream the subjects shop.>"]
      : [
          `it is a ${mirror ? "mirror" : "copy"} of the stream ${origins.join(", ")}, and takes no events of its own`,
          `run the command with --nats-stream ${origins[0]} at the broker of that stream, and with --data-dir of a service that follows it or of a new directory`,
        ];
  const message = `${address}: ${what} (message ${id}, subject ${subject})`;
  throw new VitrineError("event_log", message, hint);
}

const matches = (pattern: readonly string[], subject: readonly string[]): boolean =>
  (pattern.at(-1) === ">" ? subject.length >= pattern.length : subject.length === pattern.length) &&
  pattern.every((token, at) => token === ">" || token === "*" || token === subject[at]);
