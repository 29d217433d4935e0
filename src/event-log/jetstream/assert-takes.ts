import type { StreamInfo } from "nats";
import { VitrineError } from "../../errors.ts";
import type { NewMessage } from "../event-log.ts";
import type { Stream } from "./stream.ts";

/** What a stream takes from producers, and the streams that it copies. */
export interface Intake {
  readonly subjects: readonly string[];
  /** `a mirror of the stream SHOP`; undefined when it copies none. */
  readonly copies: string | undefined;
  /** Name of a stream that it copies. */
  readonly origin: string | undefined;
}

export const toIntake = ({ subjects, mirror, sources }: StreamInfo["config"]): Intake => {
  const names = (sources ?? []).map(({ name }) => name).join(", ");
  const copies = mirror
    ? `a mirror of the stream ${mirror.name}`
    : `a copy of the streams ${names}`;
  const origin = mirror?.name ?? sources?.[0]?.name;
  return { subjects: subjects ?? [], copies: origin && copies, origin };
};

/**
 * Asserts that the stream itself takes a message, because the broker would store the message in any other stream with its
 * subject. No header names the stream: the broker would store that header, and a mirror of another name skips such messages.
 */
export function assertTakes(
  { address }: Pick<Stream, "address">,
  { subjects, copies, origin }: Intake,
  { id, subject }: NewMessage,
): void {
  if (subjects.some((pattern) => matches(pattern.split("."), subject.split(".")))) return;
  const [what, hint] =
    copies === undefined
      ? ["another stream or no stream takes the subject", "give the stream the subjects shop.>"]
      : [
          `the stream is ${copies}, and takes no events of its own`,
          `run the command with --nats-stream ${origin} at the broker of that stream, and with --data-dir of a service that follows it or of a new directory`,
        ];
  const which = `(message ${id}, subject ${subject})`;
  throw new VitrineError("event_log", `${address}: ${what} ${which}`, hint);
}

const matches = (pattern: readonly string[], subject: readonly string[]): boolean =>
  (pattern.at(-1) === ">" ? subject.length >= pattern.length : subject.length === pattern.length) &&
  pattern.every((token, at) => token === ">" || token === "*" || token === subject[at]);
