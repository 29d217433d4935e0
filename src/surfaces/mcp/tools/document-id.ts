import type { PageAddress } from "../../../read-model/schema/documents.ts";

/** Formats the id of a document of the research tools: `product:101`. */
export const formatDocumentId = ({ kind, id }: PageAddress): string => `${kind}:${id}`;

/** Parses the id of a document. @returns undefined when it is not one */
export const parseDocumentId = (text: string): PageAddress | undefined => {
  const [, name, digits] = /^([a-z]+):([1-9]\d{0,15})$/.exec(text) ?? [];
  const kind = kinds.find((one) => one === name);
  const id = Number(digits);
  return kind && Number.isSafeInteger(id) ? { kind, id } : undefined;
};

const kinds = ["product", "category", "page"] as const satisfies readonly PageAddress["kind"][];
