export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses a body. @returns undefined when it is not JSON in UTF-8 */
export const parseJson = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
};
