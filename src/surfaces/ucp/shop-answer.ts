import type { Product } from "../../read-model/reader/product.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import { formatReturns } from "../words/facts.ts";
import { plain } from "../words/style.ts";
import { newestUcp } from "./version.ts";
import type { UcpView } from "./view.ts";

/** The pages that the seller of a line links, by the topics of CMS pages. */
const linkTypes = {
  privacy: "privacy_policy",
  terms: "terms_of_service",
  returns: "refund_policy",
  shipping: "shipping_policy",
} as const;

/** Lists the first page of each of these topics. */
export const listSellerLinks = (snapshot: Snapshot): readonly object[] =>
  Object.entries(linkTypes).flatMap(([topic, type]) => {
    const page = snapshot.policies().find((policy) => policy.topic === topic);
    return page ? [{ type, url: page.url }] : [];
  });

/**
 * Lists how goods can be returned: the shop's policy, then those of products that have another one.
 * @param paths of the products in the answer
 */
export const listPolicies = (
  { snapshot, version }: UcpView,
  products: readonly Product[],
  paths: readonly string[],
): readonly object[] => {
  if (version !== newestUcp || products.length === 0) return [];
  const page = snapshot.policies().find(({ topic }) => topic === "returns");
  const returns = snapshot.shop()?.returns;
  const words = returns ? toSentence(formatReturns(returns, plain)) : page?.summary;
  const general = words ? [toPolicy(words, page && { url: page.url })] : [];
  const own = products.flatMap(({ text: { facts } }, at) =>
    facts.returns
      ? [toPolicy(toSentence(formatReturns(facts.returns, plain)), { applies_to: [paths[at]] })]
      : [],
  );
  return [...general, ...own];
};

const toPolicy = (text: string, more: object | undefined) => ({
  type: "dev.ucp.shopping.policy.return",
  description: { plain: text },
  ...more,
});

const toSentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
