import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Renders the licences of the packages whose code a bundle contains, because most licences demand their text in every copy.
 * @param metafiles of esbuild
 */
export const renderLicenses = (metafiles) =>
  [
    "Vitrine is bundled with code of the packages below. Its own licence is in the file LICENSE.",
    ...bundledPackages(metafiles).map(renderPackage).sort(),
  ].join(`\n\n${"=".repeat(80)}\n`);

/** Lists the directories of bundled packages. A package may be bundled in several versions. */
const bundledPackages = (metafiles) => {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const files = outputs.flatMap(({ inputs }) => Object.keys(inputs));
  const directories = files.map((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(directories.filter((directory) => directory !== undefined))];
};

const renderPackage = (directory) => {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(directory, "package.json"), "utf8"),
  );
  const texts = readdirSync(directory)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => readFileSync(join(directory, file), "utf8").replaceAll("\r\n", "\n").trim());
  if (texts.length === 0 && !license) throw new Error(`${directory} states no licence`);
  const statement = `The package has no file with its licence. Its package.json states: ${license}`;
  const by = author ? `, by ${author.name ?? author}` : "";
  const text = texts.length > 0 ? texts.join("\n\n") : `${statement}${by}.`;
  return `${name} ${version} (${license})\n\n${text}`;
};
