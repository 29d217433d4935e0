/** Reads `deploy/runbook.md`: its sections, their commands and the output that it shows, and its table of symptoms. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../../src/package-info.ts";

export const pagePath = join(packageRoot, "deploy", "runbook.md");

/** A code block with commands. */
export interface Block {
  readonly commands: string;
  /** False for a block marked `sh not-run`. */
  readonly isRun: boolean;
  /** Text of the block `text` below the commands; undefined without one. */
  readonly output: string | undefined;
}

export interface Section {
  readonly title: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Matches a block of commands with the block of its output. */
const blockPattern = /^```sh( not-run)?\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm;

export const readPage = (): string => readFileSync(pagePath, "utf8");

export const readSections = (page: string): readonly Section[] =>
  splitSections(page).map((text) => ({
    title: titleOf(text),
    text,
    blocks: [...text.matchAll(blockPattern)].map(([, mark, commands = "", output]) => ({
      commands,
      isRun: mark === undefined,
      output,
    })),
  }));

/** Splits the page at its titles of level 2; the text before the first one is not a section. */
const splitSections = (page: string): readonly string[] => page.split(/^(?=## )/m).slice(1);

const titleOf = (section: string): string => /^## (.*)/.exec(section)?.[1] ?? "";

/** Formats the anchor of a title by the rule of GitHub: lower case, spaces to hyphens, without punctuation. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");

/** Lists the first cells of the rows of the table of symptoms that point to a section. */
export const symptomsOf = (page: string, title: string): readonly string[] =>
  (splitSections(page).find((section) => titleOf(section) === "Symptoms") ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| ") && line.includes(`(#${anchorOf(title)})`))
    .map((line) => line.split(" | ")[0] ?? "");

/** Removes the code blocks, which contain commands and outputs and no messages. */
export const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```$/gms, "");

/**
 * Replaces the output below commands of a section.
 * @param write returns the new output of a block; undefined for none
 */
export const replaceOutputs = (
  page: string,
  write: (title: string, block: Block) => string | undefined,
): string => {
  const [head = ""] = page.split(/^(?=## )/m);
  const sections = splitSections(page).map((section) =>
    section.replaceAll(blockPattern, (_, mark, commands, output) => {
      const block = { commands, isRun: mark === undefined, output };
      const written = block.isRun ? write(titleOf(section), block) : undefined;
      return `\`\`\`sh${mark ?? ""}\n${commands}\`\`\`\n${
        written ? `\n\`\`\`text\n${written}\`\`\`\n` : ""
      }`;
    }),
  );
  return head + sections.join("");
};
