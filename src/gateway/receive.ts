import type { IncomingMessage } from "node:http";
import { readBody } from "../http/middleware/json-body.ts";
import type { RateLimitResult } from "../http/rate-limit/rate-limit.ts";
import { isDiskError } from "../lmdb/error-codes.ts";
import type { NewDelivery } from "./inbox/inbox.ts";
import type { Headers, Webhooks } from "./webhooks.ts";

/** A connection as the gateway's public port uses it. */
export interface Receiver {
  readonly secrets: readonly string[];
  readonly webhooks: Webhooks;
  /** Finds the number of a delivery with an id. */
  find(deliveryId: string): number | undefined;
  /** Resolves with the number once the inbox has the delivery. */
  append(delivery: NewDelivery): Promise<number>;
  isFull(): boolean;
}

export interface ReceiveDeps {
  /** Why no delivery is accepted now: the process stops, or the disk is nearly full. */
  readonly unavailable: () => string | undefined;
  /** Counts a request without a valid signature. */
  readonly countUnsigned: (request: IncomingMessage) => RateLimitResult;
  /** Bytes of the bodies that are being read. */
  readonly reading: { bytes: number };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Answer to a delivery: a number, or null for one that is not stored; or an error. */
export type Answer =
  | {
      readonly status: 200;
      readonly delivery: number | null;
      /** Topic of an authentic delivery that is not stored, because no translator takes it. */
      readonly untaken?: string;
    }
  | {
      readonly status: 400 | 401 | 405 | 413 | 415 | 429 | 503;
      readonly message: string;
      readonly retryAfter?: number;
    };

/** Limit on a delivery: a product of Shopify with 2,048 variants has 3 MB. */
const maxBodyBytes = 8 * 1024 * 1024;
/** Limit on the bodies of all requests, which are read before their signature can be checked. */
const maxReadingBytes = 128 * 1024 * 1024;
const retryAfter = 30;

/** Checks a request and stores its delivery (Contract 10, Deliveries). */
export const receive = async (
  request: IncomingMessage,
  receiver: Receiver,
  deps: ReceiveDeps,
): Promise<Answer> => {
  const problem = findHeadProblem(request, receiver.webhooks);
  if (problem) return problem;
  const reason = deps.unavailable() ?? (receiver.isFull() ? "the inbox is full" : undefined);
  if (reason !== undefined) return { status: 503, message: `${reason}: send it again`, retryAfter };
  const length = request.headers["content-length"];
  const bytes = Number(length ?? maxBodyBytes);
  if (bytes > maxBodyBytes) return dropBody(request, tooLarge);
  if (deps.reading.bytes + bytes > maxReadingBytes) return dropBody(request, tooMany);
  deps.reading.bytes += bytes;
  try {
    const body = await readBody(request, length, maxBodyBytes);
    return body ? await receiveBody(request, body, receiver, deps) : dropBody(request, tooLarge);
  } finally {
    deps.reading.bytes -= bytes;
  }
};

const tooLarge: Answer = {
  status: 413,
  message: `a delivery may have at most ${maxBodyBytes} bytes`,
};
const tooMany: Answer = { status: 503, message: "too many deliveries at once", retryAfter };

/** Reads and drops the rest of a body, so that the client can read the answer. */
const dropBody = (request: IncomingMessage, answer: Answer): Answer => {
  request.resume();
  return answer;
};

const formType = "application/x-www-form-urlencoded";

const findHeadProblem = (
  { method, headers }: IncomingMessage,
  { contentTypes, isPing }: Webhooks,
): Answer | undefined => {
  if (method !== "POST") return { status: 405, message: "send deliveries with POST" };
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const encoding = headers["content-encoding"] ?? "identity";
  const isTaken = contentTypes.includes(type.trim()) || (isPing && type.trim() === formType);
  if (isTaken && encoding === "identity") return undefined;
  return { status: 415, message: `send ${contentTypes.join(" or ")}, without an encoding` };
};

const receiveBody = async (
  request: IncomingMessage,
  body: Buffer,
  receiver: Receiver,
  deps: ReceiveDeps,
): Promise<Answer> => {
  const { webhooks, secrets } = receiver;
  const headers = readHeaders(request);
  if (webhooks.isPing?.(headers, body)) return { status: 200, delivery: null };
  if (!webhooks.isAuthentic(headers, body, secrets)) return refuseUnsigned(request, deps);
  const parsed = parseJson(body);
  if (!parsed) return { status: 400, message: "the body is no JSON in UTF-8" };
  // The bytes are stored, not this value, so rounded numbers do no harm.
  const { topic, deliveryId } = webhooks.identify(headers, parsed.value);
  if (!webhooks.topics.has(topic)) return { status: 200, delivery: null, untaken: topic };
  const existing = deliveryId === undefined ? undefined : receiver.find(deliveryId);
  if (existing !== undefined) return { status: 200, delivery: existing };
  const row = {
    topic,
    headers: selectHeaders(headers, webhooks),
    arrivedAt: new Date(deps.now()).toISOString(),
    bytes: body.length,
    body,
  };
  const delivery = deliveryId === undefined ? row : { ...row, deliveryId };
  return store(receiver, delivery);
};

const store = async (receiver: Receiver, delivery: NewDelivery): Promise<Answer> => {
  try {
    return { status: 200, delivery: await receiver.append(delivery) };
  } catch (error) {
    // On a full disk LMDB reports ENOSPC, or EIO after a part of a write.
    if (!isDiskError(error)) throw error;
    return { status: 503, message: "the disk is full, or fails: send it again", retryAfter };
  }
};

/** The same answer for each fault, so that it says nothing about secrets and names. */
const refuseUnsigned = (request: IncomingMessage, { countUnsigned }: ReceiveDeps): Answer => {
  const { admitted, resetMs } = countUnsigned(request);
  if (admitted) return { status: 401, message: "the signature is missing or wrong" };
  const seconds = Math.ceil(resetMs / 1000);
  return {
    status: 429,
    message: `too many wrong signatures: wait ${seconds} s`,
    retryAfter: seconds,
  };
};

const readHeaders = ({ headers }: IncomingMessage): Headers =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );

const selectHeaders = (headers: Headers, { isStoredHeader }: Webhooks): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isStoredHeader(name)));

const utf8 = new TextDecoder("utf-8", { fatal: true });

const parseJson = (body: Buffer): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(utf8.decode(body)) };
  } catch {
    return undefined;
  }
};
