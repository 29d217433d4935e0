import { parseBody } from "../delivery.ts";
import { type Members, readMembers, readText } from "../members.ts";

/** Bound on envelopes within each other. CloudEvents from Pub/Sub are in three. */
const maxEnvelopes = 5;

/**
 * Unwraps a notification: from CloudEvents, EventBridge, Pub/Sub or SNS, or as it is.
 * @param body JSON as `parseBody` returns it
 * @returns its own id, else that of the innermost envelope; undefined for anything but a notification
 */
export const unwrap = (
  body: unknown,
): { readonly message: Members; readonly id: string | undefined } | undefined => {
  let members = readMembers(body);
  let id: string | undefined;
  for (let left = maxEnvelopes; members && left >= 0; left -= 1) {
    const envelope: Members = members;
    id =
      ["id", "messageId", "MessageId"].map((name) => readText(envelope[name])).find(Boolean) ?? id;
    if (isNotification(members)) return { message: members, id };
    members = readMembers(openEnvelope(members));
  }
  return undefined;
};

/** Only CloudEvents have a type too. Bodies taken from queues may lack `notificationType`. */
const isNotification = ({ resource, type, notificationType, specversion }: Members): boolean =>
  readMembers(resource) !== undefined ||
  (specversion === undefined && readText(type ?? notificationType) !== undefined);

const openEnvelope = ({ Message, detail, message, data, type }: Members): unknown => {
  if (typeof Message === "string") return parseText(Message);
  if (typeof data === "string") return parseText(Buffer.from(data, "base64").toString());
  const [, change] = /\.change\.(\w+)$/.exec(readText(type) ?? "") ?? [];
  const content = readMembers(data) ?? readMembers(detail) ?? readMembers(message);
  return content && change ? { notificationType: change, ...content } : content;
};

const parseText = (text: string): unknown => {
  try {
    return parseBody(text);
  } catch {
    return undefined;
  }
};
