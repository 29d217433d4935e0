import type { Product } from "../../read-model/reader/product.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ProductFilters } from "../../read-model/schema/queries.ts";
import { type EntryLine, findLines, listLines } from "../entry/lines.ts";
import { omitEmpty } from "../mcp/offer-answer.ts";
import { parseVariantId } from "../variant-id.ts";
import { readFilters } from "./filters.ts";
import { listDisclosures } from "./messages.ts";
import { type LookupInput, toUcpProduct } from "./product-answer.ts";
import type { LookupRequest } from "./request.ts";
import { listPolicies } from "./shop-answer.ts";
import { info, toEnvelope, type UcpView } from "./view.ts";

/** Answers products by ids of products and variants (Contract §12). */
export const lookupCatalog = (view: UcpView, request: LookupRequest): object => {
  const { snapshot } = view;
  const { filters, messages } = readFilters(view, request);
  const { found, unknown } = resolveIds(snapshot, request.ids);
  const meets = createFilterTest(snapshot, [...found.keys()], filters);
  const shown = [...found.values()].flatMap(({ product, lines, inputs }) => {
    const kept = lines.filter(meets);
    return kept.length > 0 ? [{ product, inputs, lines: kept }] : [];
  });
  const paths = shown.map((_, at) => `$.products[${at}]`);
  const products = shown.map(({ product }) => product);
  return {
    ucp: toEnvelope(view),
    products: shown.map((each) => toUcpProduct(view, each)),
    ...omitEmpty({
      messages: [
        ...products.flatMap((product, at) => listDisclosures(product, paths[at] ?? "")),
        ...unknown.map((id) => info("not_found", id)),
        ...(shown.length > 0 ? messages : []),
      ],
      policies: listPolicies(view, products, paths),
    }),
  };
};

/** Lines of a product that ids name. */
interface Found {
  readonly product: Product;
  readonly lines: EntryLine[];
  /** The ids that named a line, by the id of the line. */
  readonly inputs: Map<string, LookupInput[]>;
}

/** Resolves ids in their sequence, each product once. */
const resolveIds = (snapshot: Snapshot, ids: readonly string[]) => {
  const found = new Map<number, Found>();
  const unknown: string[] = [];
  for (const id of new Set(ids)) {
    const named = resolveId(snapshot, id);
    if (!named) {
      unknown.push(id);
      continue;
    }
    const { product, line, match } = named;
    const entry: Found = found.get(product.id) ?? { product, lines: [], inputs: new Map() };
    found.set(product.id, entry);
    const inputs = entry.inputs.get(line.id);
    if (!inputs) entry.lines.push(line);
    entry.inputs.set(line.id, [...(inputs ?? []), { id, match }]);
  }
  return { found, unknown };
};

/** Reads the product of an id: its own, or that of one of its variants. @returns undefined for an id that no visible product has */
export const readNamed = (snapshot: Snapshot, id: string) => {
  const variant = parseVariantId(id);
  const own = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined;
  const productId = variant?.product ?? own;
  const isPossible = productId !== undefined && Number.isSafeInteger(productId);
  const product = isPossible ? snapshot.product(productId) : undefined;
  return product && { product, variant: variant?.variant };
};

/** @returns undefined for an id that nothing visible with a price has */
const resolveId = (snapshot: Snapshot, id: string) => {
  const named = readNamed(snapshot, id);
  if (!named) return undefined;
  const { product, variant } = named;
  const { featured } = product.offer;
  const wanted = variant ?? featured;
  const [line] = wanted === null ? listLines(product) : findLines(product, [wanted], 1);
  const match: LookupInput["match"] = variant === undefined && line?.variant ? "featured" : "exact";
  return line && { product, line, match };
};

/** Creates a test of lines of some products by filters of the read model. */
export const createFilterTest = (
  snapshot: Snapshot,
  ids: readonly number[],
  filters: ProductFilters,
): ((line: EntryLine) => boolean) => {
  if (Object.keys(filters).length === 0) return () => true;
  const query = { ...filters, ids };
  const { products } = snapshot.listing({
    ...query,
    ...{ sort: "relevance", limit: ids.length, offset: 0 },
  });
  const matched = snapshot.matchedVariants(products, query);
  const met = new Set(products.map(({ id }) => id));
  return ({ product, variant }) =>
    met.has(product.id) && (!variant || (matched.get(product.id)?.includes(variant.id) ?? true));
};
