import { readYaml } from "./read-yaml.ts";

/** The parts of compose.yml that the tests read. */
export interface ComposeFile {
  readonly services: Readonly<Record<string, Container>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
}

export interface Container {
  readonly command?: readonly string[];
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks: readonly string[] | object;
}

export const readComposeFile = (): ComposeFile => {
  const [document] = readYaml<ComposeFile>("compose.yml");
  if (document === undefined) throw new Error("deploy/compose.yml is empty");
  return document;
};
