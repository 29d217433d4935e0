import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { PolicyDocument } from "../../../read-model/schema/documents.ts";
import { joinLines } from "../../format.ts";
import { markdownUrl } from "../../markdown/url.ts";
import { cutText, markLines, maxTextCharacters, merchantMark } from "../text-bound.ts";
import type { Tool } from "./tool.ts";

interface Arguments {
  readonly topic?: Exclude<PolicyDocument["topic"], "other">;
}

interface Policy extends PolicyDocument {
  /** Markdown. */
  readonly text?: string;
}

const maxPolicies = 500;
/** Maximum characters of their texts. A text is included in full or not at all. */
const maxCharacters = 1_000_000;

export const getPolicies: Tool<Arguments> = {
  name: "get_policies",
  answer({ snapshot, baseUrl }, { topic }) {
    const all = snapshot
      .policies()
      .filter((policy) => topic === undefined || policy.topic === topic);
    const readText = topic === undefined ? withoutText : createTextReader(snapshot);
    const policies = all
      .slice(0, maxPolicies)
      .map(({ id, title, url, topic: about, summary }): Policy => {
        const policy = { id, title, url, topic: about, summary };
        const text = readText(policy);
        return text === undefined ? policy : { ...policy, text };
      });
    const more = all.length - policies.length;
    const text = joinLines(
      formatPolicies(policies, topic, baseUrl),
      more > 0 ? `${more} more are not listed.` : undefined,
    );
    return { structured: { policies }, text };
  },
};

const withoutText = (): undefined => undefined;

/** Creates a reader of policy texts. It returns undefined for the texts after the limit. */
const createTextReader = (snapshot: Snapshot): ((policy: PolicyDocument) => string | undefined) => {
  let remainingCharacters = maxCharacters;
  return ({ id }) => {
    if (remainingCharacters < 0) return undefined;
    const text = snapshot.page(id)?.markdown ?? "";
    remainingCharacters -= text.length;
    return remainingCharacters < 0 ? undefined : text;
  };
};

/** Formats policies. Their texts share the characters that the other lines leave. */
const formatPolicies = (
  policies: readonly Policy[],
  topic: string | undefined,
  baseUrl: string,
): string => {
  if (policies.length === 0) {
    return topic ? `The shop publishes no page about ${topic}.` : "The shop publishes no policies.";
  }
  const texts = policies.filter(({ text }) => text).length;
  const room = maxTextCharacters * 0.95 - policies.map(formatSummary).join().length;
  return policies
    .map((policy) => {
      const { title, id, url, text } = policy;
      if (!text) return formatSummary(policy);
      const rest = `The page is longer: ${markdownUrl(baseUrl, url)}`;
      const lines = cutText(markLines(text), room / texts, rest, merchantMark);
      return `${title} (id ${id}), ${url}, text of the merchant:\n${lines}`;
    })
    .join(topic === undefined ? "\n" : "\n\n");
};

const formatSummary = ({ title, id, topic, summary, url }: Policy): string =>
  `- ${title} (id ${id}, ${topic}): ${summary ? `${summary} ` : ""}${url}`;
