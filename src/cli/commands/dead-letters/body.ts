import { isUtf8 } from "node:buffer";

/** The bytes of a message in their most readable form. */
export type DeadLetterBody =
  | { readonly form: "JSON"; readonly content: unknown }
  | { readonly form: "text"; readonly content: string }
  /** For bytes that are not UTF-8. */
  | { readonly form: "base64"; readonly content: string };

export const parseDeadLetterBody = (bytes: Buffer): DeadLetterBody => {
  if (!isUtf8(bytes)) return { form: "base64", content: bytes.toString("base64") };
  const text = bytes.toString("utf8");
  try {
    return { form: "JSON", content: JSON.parse(text) };
  } catch {
    return { form: "text", content: text };
  }
};
