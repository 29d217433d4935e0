import { isUtf8 } from "node:buffer";

/** The bytes of a message in their most readable form. */
export type DeadLetterBody =
  | { readonly form: "JSON"; readonly content: unknown }
  /** Also JSON of more than `maxLevels`, whose indents would be most of the output, or end the command. */
  | { readonly form: "text"; readonly content: string }
  /** For bytes that are not UTF-8. */
  | { readonly form: "base64"; readonly content: string };

const maxLevels = 100;

export const parseDeadLetterBody = (bytes: Buffer): DeadLetterBody => {
  if (!isUtf8(bytes)) return { form: "base64", content: bytes.toString("base64") };
  const text = bytes.toString("utf8");
  try {
    const content: unknown = JSON.parse(text);
    if (!isDeeper(content, maxLevels)) return { form: "JSON", content };
  } catch {
    // Bytes that are no JSON are shown as text.
  }
  return { form: "text", content: text };
};

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1)));
