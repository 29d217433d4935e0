/** The converter of Google's SDK, which it applies to a schema before it sends it. */
import { GoogleGenAI } from "@google/genai";

/** @returns the body of the request to the model, with the converted schema */
const toGoogle = async (responseSchema: unknown): Promise<string> => {
  const bodies: string[] = [];
  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    bodies.push(String(init?.body));
    return Response.json({});
  };
  const google = new GoogleGenAI({ apiKey: "none", httpOptions: { fetch } });
  const config = { responseMimeType: "application/json", responseSchema };
  await google.models.generateContent({ model: "gemini-2.5-flash", contents: "Hi", config });
  return bodies.join();
};

/** Fields of a schema in Google's API. It rejects a request with any other. */
const fields = new Set(
  (
    "type format title description nullable enum maxItems minItems properties required " +
    "minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering " +
    "default items minimum maximum"
  ).split(" "),
);

/** Converts a schema, and lists the fields that Google's API rejects. */
export const findRejectedFields = async (schema: unknown): Promise<readonly string[]> => {
  const body = JSON.parse(await toGoogle(schema));
  return rejectedFieldsIn(body.generationConfig.responseSchema);
};

const rejectedFieldsIn = (schema: object): readonly string[] =>
  Object.entries(schema).flatMap(([field, value]) => {
    if (!fields.has(field) || value === "TYPE_UNSPECIFIED") return [field];
    if (field === "items") return rejectedFieldsIn(value);
    const isList = field === "anyOf" || field === "properties";
    return isList ? Object.values<object>(value).flatMap(rejectedFieldsIn) : [];
  });
