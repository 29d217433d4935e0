import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { PolicyDocument } from "../../../read-model/schema/documents.ts";
import { prose } from "../../markdown/sanitize.ts";
import { lines } from "../format.ts";
import type { Tool } from "./tool.ts";

interface Arguments {
  readonly topic?: Exclude<PolicyDocument["topic"], "other">;
}

interface Policy extends PolicyDocument {
  /** Markdown. */
  readonly text?: string;
}

/** Pages that are told of, and characters of those whose text is told whole: a client reads no more at once. */
const mostPages = 500;
const mostText = 1_000_000;

/** Characters that are read for them: each link is read beside the address of its page. */
const mostRead = 4_000_000;

export const getPolicies: Tool<Arguments> = {
  name: "get_policies",
  answer({ moment }, { topic }) {
    const all = moment.policies().filter((policy) => topic === undefined || policy.topic === topic);
    const textOf = topic === undefined ? untold : textsOf(moment);
    const policies = all
      .slice(0, mostPages)
      .map(({ id, title, url, topic: about, summary }): Policy => {
        const policy = { id, title, url, topic: about, summary };
        const text = textOf(policy);
        return text === undefined ? policy : { ...policy, text };
      });
    const more = all.length - policies.length;
    const text = lines(
      inWords(policies, topic),
      more > 0 ? `${more} more are not told.` : undefined,
    );
    return { structured: { policies }, text };
  },
};

const untold = (): undefined => undefined;

/**
 * Texts as their pages show them: what is stored may hold links that lead nowhere from here, and what a reader takes
 * for HTML. Undefined for those that come after as much as is told.
 */
const textsOf = (moment: Snapshot): ((policy: PolicyDocument) => string | undefined) => {
  let [left, toRead] = [mostText, mostRead];
  return ({ id, url }) => {
    if (left < 0 || toRead < 0) return undefined;
    const stored = moment.page(id)?.markdown ?? "";
    toRead -= stored.length + url.length * (stored.split("](").length - 1);
    const text = prose(stored, url);
    left -= text.length;
    return left < 0 ? undefined : text;
  };
};

const inWords = (policies: readonly Policy[], topic: string | undefined): string => {
  if (policies.length === 0) {
    return topic ? `The shop publishes no page about ${topic}.` : "The shop publishes no policies.";
  }
  return policies
    .map((policy) => (policy.text === undefined ? line(policy) : whole(policy)))
    .join(topic === undefined ? "\n" : "\n\n");
};

const line = ({ title, id, topic, summary, url }: Policy): string =>
  `- ${title} (id ${id}, ${topic}): ${summary ? `${summary} ` : ""}${url}`;

const whole = ({ title, id, url, text }: Policy): string =>
  lines(`${title} (id ${id}), ${url}`, text);
