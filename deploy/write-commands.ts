/** Writes `deploy/commands.md` from the definitions of commands, settings and exit codes: `npm run docs`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exitCodeMeanings } from "../src/cli/build-program.ts";
import { type OptionSpec, optionSyntax } from "../src/cli/command-spec.ts";
import { type CommandEntry, commandTable } from "../src/cli/command-table.ts";
import { natsCredentials, toNatsVariable } from "../src/config.ts";
import { packageRoot } from "../src/package-info.ts";
import { type SettingName, settings, toFlag, toVariable } from "../src/settings.ts";

/** Renders the page. */
export const renderCommands = async (): Promise<string> => {
  const commands = commandTable.flatMap((entry) =>
    "commands" in entry
      ? entry.commands.map((each) => ({ name: `${entry.name} ${each.name}`, entry: each }))
      : [{ name: entry.name, entry }],
  );
  const sections = await Promise.all(commands.map(renderCommand));
  return `${[
    introduction,
    table(
      ["command", ""],
      commands.map(({ name, entry }) => [link(name), entry.summary]),
    ),
    ...sections,
    "## Settings",
    "A setting comes from its flag, else from its environment variable, else it has its default. An empty variable counts as absent.\nAll bad settings are reported together, with exit code 2.",
    table(
      ["flag", "variable", "default", "meaning", "values"],
      Object.keys(settings).filter(isSettingName).map(settingRow),
    ),
    "## Broker credentials",
    "Credentials come from the environment alone, because all users of a machine can read the flags of a process.",
    table(
      ["variable", "value"],
      Object.entries(natsCredentials).map(([name, meaning]) => [
        code(toNatsVariable(name)),
        meaning,
      ]),
    ),
    "## Exit codes",
    table(
      ["exit code", "meaning"],
      exitCodeMeanings.map(([exitCode, meaning]) => [String(exitCode), meaning]),
    ),
  ].join("\n\n")}\n`;
};

const introduction = `# Commands

\`npm run docs\` writes this page from the definitions of the commands; a test compares the two. \`vitrine COMMAND --help\` shows the same.
[runbook.md](runbook.md) names the command to use for each fault.`;

const renderCommand = async ({
  name,
  entry,
}: {
  readonly name: string;
  readonly entry: CommandEntry;
}): Promise<string> => {
  const { settings: names, options, argument, examples, notes } = await entry.load();
  const synopsis = ["vitrine", name, "[options]", ...(argument ? [argument.syntax] : [])].join(" ");
  const rows = [
    ...(argument ? [[code(argument.syntax), argument.description]] : []),
    ...Object.entries(options).map(([option, spec]) => [
      code(optionSyntax(option, spec)),
      describeOption(spec),
    ]),
  ];
  return [
    `## vitrine ${name}`,
    `${entry.summary[0]?.toUpperCase()}${entry.summary.slice(1)}.`,
    block(synopsis),
    ...(rows.length > 0 ? [table(["argument, option", ""], rows)] : []),
    ...(names.length > 0
      ? [`[Settings](#settings): ${names.map((each) => code(toFlag(each))).join(", ")}.`]
      : []),
    ...(notes ? [notes] : []),
    block(examples.join("\n")),
  ].join("\n\n");
};

const describeOption = ({
  description,
  placeholder,
  defaultValue,
  isRequired,
  conflicts = [],
}: OptionSpec<unknown>): string =>
  [
    description,
    ...(isRequired ? ["required"] : []),
    ...(placeholder !== undefined && defaultValue !== undefined ? [`default ${defaultValue}`] : []),
    ...(conflicts.length > 0 ? [`not with ${conflicts.map(toFlag).map(code).join(", ")}`] : []),
  ].join("; ");

const settingRow = (name: SettingName): readonly string[] => {
  const { placeholder, description, expected, defaultValue, defaultLabel } = settings[name];
  return [
    code(`${toFlag(name)} ${placeholder}`),
    code(toVariable(name)),
    defaultLabel === undefined ? code(String(defaultValue)) : defaultLabel.replace(/http.*/, code),
    description,
    expected,
  ];
};

const isSettingName = (name: string): name is SettingName => Object.hasOwn(settings, name);

const code = (text: string): string => `\`${text}\``;

const block = (text: string): string => `\`\`\`sh\n${text}\n\`\`\``;

/** Anchors follow the rule of GitHub: lower case, spaces to hyphens. */
const link = (name: string): string => `[${name}](#vitrine-${name.replaceAll(" ", "-")})`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map(row).join("\n");

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => escapeHtml(cell).replaceAll("|", "\\|")).join(" | ")} |`;

/** Escapes what would begin a tag, except in code. */
const escapeHtml = (text: string): string =>
  text.replaceAll(/`[^`]*`|</g, (match) => (match === "<" ? "&lt;" : match));

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(join(packageRoot, "deploy", "commands.md"), await renderCommands());
}
