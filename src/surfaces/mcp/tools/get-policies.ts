import type { PolicyDocument } from "../../../read-model/documents.ts";
import type { Tool } from "../tool.ts";
import { lines } from "../wording.ts";

interface Arguments {
  readonly topic?: Exclude<PolicyDocument["topic"], "other">;
}

interface Policy extends PolicyDocument {
  /** Markdown. */
  readonly text?: string;
}

export const getPolicies: Tool<Arguments> = {
  name: "get_policies",
  answer({ moment }, { topic }) {
    const policies = moment
      .policies()
      .filter((policy) => topic === undefined || policy.topic === topic)
      .map(({ id, title, url, topic: about, summary }): Policy => {
        const policy = { id, title, url, topic: about, summary };
        return topic === undefined ? policy : { ...policy, text: moment.page(id)?.markdown ?? "" };
      });
    return { structured: { policies }, text: textOf(policies, topic) };
  },
};

const textOf = (policies: readonly Policy[], topic: string | undefined): string => {
  if (policies.length === 0) {
    return topic ? `The shop publishes no page about ${topic}.` : "The shop publishes no policies.";
  }
  return policies.map(topic === undefined ? line : whole).join(topic === undefined ? "\n" : "\n\n");
};

const line = ({ title, id, topic, summary, url }: Policy): string =>
  `- ${title} (id ${id}, ${topic}): ${summary ? `${summary} ` : ""}${url}`;

const whole = ({ title, id, url, text }: Policy): string =>
  lines(`${title} (id ${id}), ${url}`, text);
