import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { PageAddress } from "../../../read-model/schema/documents.ts";
import { formatPrice } from "../../format.ts";
import { shopPage } from "../../markdown/page.ts";
import { invalidArgument, notFound } from "../../user-error.ts";
import { lowestWord } from "../../words/price.ts";
import { formatState } from "../offer-answer.ts";
import { cutText, maxTextCharacters } from "../text-bound.ts";
import type { Tool } from "./tool.ts";

interface Arguments {
  readonly id: string;
}

/** Reads one document for research connectors: its Markdown page, with facts about it. */
export const fetchDocument: Tool<Arguments> = {
  name: "fetch",
  answer({ snapshot, baseUrl }, { id }) {
    const address = parseDocumentId(id);
    if (!address)
      return invalidArgument(
        ["id"],
        "`id` must be one of `search`, such as product:101 or page:7.",
      );
    const found = describe[address.kind](snapshot, address.id);
    const page = found && shopPage(snapshot, baseUrl, address);
    if (!found || !page || page === "bad_cursor")
      return notFound(["id"], `The shop shows no document ${id}.`);
    const { title, metadata } = found;
    const type = address.kind;
    const structured = {
      ...{ id, title, text: page.markdown(), url: page.canonical },
      metadata: { type, ...metadata },
    };
    const json = JSON.stringify(structured);
    if (json.length <= maxTextCharacters) return { structured, text: json };
    // A character of a page has two in JSON at most.
    const text = cutText(
      structured.text,
      maxTextCharacters * 0.45,
      `The page is longer: ${page.address}`,
    );
    return { structured, text: JSON.stringify({ ...structured, text }) };
  },
};

interface Description {
  readonly title: string;
  readonly metadata: Readonly<Record<string, string>>;
}

type Describe = (snapshot: Snapshot, id: number) => Description | undefined;

/** Title and facts of a document, by its kind. */
const describe: Readonly<Record<PageAddress["kind"], Describe>> = {
  product(snapshot, id) {
    const product = snapshot.product(id);
    if (!product) return undefined;
    const { text, offer, updatedAt } = product;
    const { price, range } = offer;
    return {
      title: text.name,
      metadata: {
        ...(price !== null && { price: `${lowestWord(range)}${formatPrice(price)}` }),
        availability: formatState(offer),
        ...(text.brand !== null && { brand: text.brand }),
        updated: updatedAt,
      },
    };
  },
  category(snapshot, id) {
    const found = snapshot.category(id);
    return found && { title: found.name, metadata: { products: `${found.productCount}` } };
  },
  page(snapshot, id) {
    const page = snapshot.page(id);
    if (!page) return undefined;
    const { title, policy, lastmod } = page;
    return { title, metadata: { ...(policy !== null && { policy }), updated: lastmod } };
  },
};

/** Formats the id of a document of the research tools: `product:101`. */
export const formatDocumentId = ({ kind, id }: PageAddress): string => `${kind}:${id}`;

/** Parses the id of a document. @returns undefined when it is not one */
const parseDocumentId = (text: string): PageAddress | undefined => {
  const [, name, digits] = /^([a-z]+):([1-9]\d{0,15})$/.exec(text) ?? [];
  const kind = kinds.find((one) => one === name);
  const id = Number(digits);
  return kind && Number.isSafeInteger(id) ? { kind, id } : undefined;
};

const kinds = ["product", "category", "page"] as const satisfies readonly PageAddress["kind"][];
