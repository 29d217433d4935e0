import type { EventIdentity } from "./identity.ts";
import { type RawEvent, readContent } from "./message-content.ts";

/**
 * Compares two messages by the events in them: equal bytes, or the same JSON value with members in any order.
 * What is no JSON equals nothing but itself.
 */
export function isSameMessage(one: MessageContent, other: MessageContent): boolean {
  return Buffer.compare(one.body, other.body) === 0 || canonicalText(one) === canonicalText(other);
}

/** Whether a message holds an event of a source and id, valid or not. */
export function isMessageOf(
  { headers, body }: MessageContent,
  { source, id }: EventIdentity,
): boolean {
  const content = readContent({ sequence: 0, time: 0, headers, body });
  if (!content.ok || typeof content.event !== "object" || content.event === null) return false;
  const event = content.event as Readonly<Record<string, unknown>>;
  return event["source"] === source && event["id"] === id;
}

type MessageContent = Pick<RawEvent, "headers" | "body">;

/** Writes the event of a message as one text, the same for each order of its members. */
function canonicalText({ headers, body }: MessageContent): string {
  const content = readContent({ sequence: 0, time: 0, headers, body });
  const text = content.ok ? canonicalJson(content.event) : undefined;
  return text ?? Buffer.from(body).toString("latin1");
}

/** @returns undefined for what is nested too deep to be written */
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
