import { messageOf } from "../errors.ts";
import { type Rejected, reject } from "./rejection.ts";

/** Maximum size of a message body: 1 MiB, the default of NATS servers. */
export const maxBodyBytes = 1024 * 1024;

export interface RawMessage {
  readonly sequence: number;
  /** Time of the log when it stored the message, in milliseconds since 1970. */
  readonly time: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The event as one object, not yet validated, from either content mode of CloudEvents. */
type ParsedMessage = { readonly ok: true; readonly event: unknown } | Rejected;

/**
 * Parses a message in structured mode (the body is the event) or binary mode (`ce-*` headers, the body is the data).
 * The content type decides between them, as the CloudEvents NATS binding says.
 */
export function parseMessage({ headers, body }: RawMessage): ParsedMessage {
  if (body.byteLength > maxBodyBytes) {
    return reject("too_large", null, `an event may have at most ${maxBodyBytes} bytes`);
  }
  const parsed = parseJson(body);
  if (!parsed.ok) return parsed;
  return isBinary(headers) ? buildBinaryEvent(headers, parsed.event) : readJsonFormat(parsed.event);
}

/** Whether a message is no delete marker or the like, which the broker wrote itself (Contract §2). */
export const isFromProducer = ({ headers, body }: Pick<RawMessage, "headers" | "body">): boolean =>
  body.byteLength > 0 || !("kv-operation" in headers || "nats-marker-reason" in headers);

/** Reads the JSON format of CloudEvents: an attribute that is null is not set, and `data_base64` is the data in Base64. */
function readJsonFormat(event: unknown): ParsedMessage {
  const isObject = typeof event === "object" && event !== null && !Array.isArray(event);
  if (!isObject || !("data_base64" in event || Object.values(event).includes(null)))
    return { ok: true, event };
  const set = Object.entries(event).filter(([, value]) => value !== null);
  const { data_base64: encoded, ...attributes } = Object.fromEntries(set);
  if (encoded === undefined || "data" in attributes) return { ok: true, event: attributes };
  const bytes = Buffer.from(typeof encoded === "string" ? encoded : "", "base64");
  if (bytes.toString("base64") !== encoded)
    return reject("envelope", "data_base64", "data_base64 must be a text in Base64");
  const data = parseJson(bytes, "data_base64");
  return data.ok ? { ok: true, event: { ...attributes, data: data.event } } : data;
}

function isBinary(headers: RawMessage["headers"]): boolean {
  if (/^"?application\/cloudevents/i.test(headers["content-type"] ?? "")) return false;
  for (const name in headers) if (name.startsWith("ce-")) return true;
  return false;
}

function buildBinaryEvent(headers: RawMessage["headers"], data: unknown): ParsedMessage {
  const type = headers["content-type"];
  const event: Record<string, unknown> =
    type === undefined ? {} : { datacontenttype: unquote(type) };
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith("ce-")) continue;
    const decoded = percentDecode(unquote(value));
    if (decoded === undefined) {
      return reject("envelope", name, `${name} must be percent-encoded UTF-8`);
    }
    event[name.slice(3)] = decoded;
  }
  event.data = data;
  return { ok: true, event };
}

/** Removes the quotes of a quoted header value, and the backslashes of its quoted pairs (CloudEvents binding for NATS, 3.1.3.2). */
const unquote = (value: string): string =>
  /^"(?:[^"\\]|\\.)*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, "$1") : value;

function percentDecode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
/**
 * Matches a JSON escape of a surrogate. An escape can contain half of a pair, which UTF-8 and the store cannot
 * represent.
 */
const surrogateEscape = /\\u[dD][89a-fA-F]/;
const loneSurrogates = /\p{Surrogate}/gu;

/** @param field the member that contains the bytes; null for the body */
function parseJson(body: Uint8Array, field: string | null = null): ParsedMessage {
  try {
    const text = utf8.decode(body);
    const mayHaveLoneSurrogate = text.includes("\\u") && surrogateEscape.test(text);
    return {
      ok: true,
      event: mayHaveLoneSurrogate ? JSON.parse(text, replaceLoneSurrogates) : JSON.parse(text),
    };
  } catch (thrown) {
    const why = thrown instanceof SyntaxError ? "it is not valid JSON" : messageOf(thrown);
    return reject("not_json", field, `${field ?? "the body"} must be JSON in UTF-8: ${why}`);
  }
}

const replaceLoneSurrogates = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.replace(loneSurrogates, "\uFFFD") : value;
