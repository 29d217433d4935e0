import { messageOf } from "../errors.ts";
import { type Rejected, reject } from "./rejection.ts";

/** Maximum size of a message body: 1 MiB, the default of NATS servers. */
export const maxBodyBytes = 1024 * 1024;

/** A message as the event log returns it. */
export interface RawMessage {
  /** Stream sequence in the log. */
  readonly sequence: number;
  /** Time of the log when it stored the message, in milliseconds since 1970. */
  readonly time: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The event as one object, not yet validated, from either content mode of CloudEvents. */
export type ParsedMessage = { readonly ok: true; readonly event: unknown } | Rejected;

/**
 * Parses a message in structured mode (the body is the event) or binary mode (`ce-*` headers, the body is the data).
 * The content type decides between them, as the CloudEvents NATS binding says.
 */
export function parseMessage({ headers, body }: RawMessage): ParsedMessage {
  if (body.byteLength > maxBodyBytes) {
    return reject("too_large", null, `an event may have at most ${maxBodyBytes} bytes`);
  }
  const parsed = parseJson(body);
  return parsed.ok && isBinary(headers) ? buildBinaryEvent(headers, parsed.event) : parsed;
}

function isBinary(headers: RawMessage["headers"]): boolean {
  if (headers["content-type"]?.toLowerCase().startsWith("application/cloudevents")) return false;
  for (const name in headers) if (name.startsWith("ce-")) return true;
  return false;
}

function buildBinaryEvent(headers: RawMessage["headers"], data: unknown): ParsedMessage {
  const event: Record<string, unknown> = {};
  if (headers["content-type"] !== undefined) event.datacontenttype = headers["content-type"];
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith("ce-")) continue;
    const decoded = percentDecode(value);
    if (decoded === undefined) {
      return reject("envelope", name, `${name} must be percent-encoded UTF-8`);
    }
    event[name.slice(3)] = decoded;
  }
  event.data = data;
  return { ok: true, event };
}

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

function parseJson(body: Uint8Array): ParsedMessage {
  try {
    const text = utf8.decode(body);
    const mayHaveLoneSurrogate = text.includes("\\u") && surrogateEscape.test(text);
    return {
      ok: true,
      event: mayHaveLoneSurrogate ? JSON.parse(text, replaceLoneSurrogates) : JSON.parse(text),
    };
  } catch (thrown) {
    const why = thrown instanceof SyntaxError ? "it is not valid JSON" : messageOf(thrown);
    return reject("not_json", null, `the body must be JSON in UTF-8: ${why}`);
  }
}

const replaceLoneSurrogates = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.replace(loneSurrogates, "\uFFFD") : value;
