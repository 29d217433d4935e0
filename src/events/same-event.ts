import type { EventIdentity } from "./envelope.ts";
import { parseMessage, type RawMessage } from "./message-content.ts";

/**
 * Compares two messages by their events: equal bytes, or equal JSON values with members in any sequence. A body that is
 * no JSON is compared by its bytes.
 */
export function isSameMessage(one: MessageContent, other: MessageContent): boolean {
  return Buffer.compare(one.body, other.body) === 0 || canonicalText(one) === canonicalText(other);
}

/** Checks that a message contains an event of a source and id; the event may be invalid. */
export function isMessageOf(
  { headers, body }: MessageContent,
  { source, id }: EventIdentity,
): boolean {
  const content = parseMessage({ sequence: 0, time: 0, headers, body });
  if (!content.ok || typeof content.event !== "object" || content.event === null) return false;
  const event = content.event as Readonly<Record<string, unknown>>;
  return event["source"] === source && event["id"] === id;
}

type MessageContent = Pick<RawMessage, "headers" | "body">;

function canonicalText({ headers, body }: MessageContent): string {
  const content = parseMessage({ sequence: 0, time: 0, headers, body });
  const text = content.ok ? canonicalJson(content.event) : undefined;
  return text ?? Buffer.from(body).toString("latin1");
}

/** @returns undefined when the nesting is too deep to serialise */
function canonicalJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, withSortedMembers);
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

const withSortedMembers = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
