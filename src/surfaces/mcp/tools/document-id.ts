import type { PageAddress } from "../../../read-model/schema/documents.ts";

/** Formats the id of a document of the research tools: `product:101`. */
export const formatDocumentId = ({ kind, id }: PageAddress): string => `${kind}:${id}`;

/** Parses the id of a document. @returns undefined when it is not one */
export const parseDocumentId = (text: string): PageAddress | undefined => {
  const [, kind, digits] = /^(product|category|page):([1-9]\d{0,15})$/.exec(text) ?? [];
  const id = Number(digits);
  return isKind(kind) && Number.isSafeInteger(id) ? { kind, id } : undefined;
};

const isKind = (text: string | undefined): text is PageAddress["kind"] =>
  text === "product" || text === "category" || text === "page";
