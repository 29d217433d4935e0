import type { PolicyDocument } from "../../../read-model/documents.ts";
import type { Snapshot } from "../../../read-model/reader.ts";
import type { Tool } from "../tool.ts";
import { lines } from "../wording.ts";

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

export const getPolicies: Tool<Arguments> = {
  name: "get_policies",
  answer({ moment }, { topic }) {
    const all = moment.policies().filter((policy) => topic === undefined || policy.topic === topic);
    let left = mostText;
    const policies = all
      .slice(0, mostPages)
      .map(({ id, title, url, topic: about, summary }): Policy => {
        const policy = { id, title, url, topic: about, summary };
        const text = topic === undefined || left < 0 ? undefined : textAt(moment, id);
        left -= text?.length ?? 0;
        return text === undefined || left < 0 ? policy : { ...policy, text };
      });
    const more = all.length - policies.length;
    const told = lines(
      textOf(policies, topic),
      more > 0 ? `${more} more are not told.` : undefined,
    );
    return { structured: { policies }, text: told };
  },
};

const textAt = (moment: Snapshot, id: number): string => moment.page(id)?.markdown ?? "";

const textOf = (policies: readonly Policy[], topic: string | undefined): string => {
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
