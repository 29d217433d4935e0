import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../package-info.ts";
import { addresses } from "../paths.ts";
import {
  type DiscoveryWorld,
  json,
  jsonType,
  markdownType,
  type PublishedDocument,
} from "./document.ts";

const folder = join(packageRoot, "schema", "skills");

/**
 * What agents can learn here (agent skills discovery 0.2.0): each SKILL.md, and the index with the digests of the
 * very bytes that are served.
 */
export const skills = ({ baseUrl }: DiscoveryWorld): readonly PublishedDocument[] => {
  const texts = readdirSync(folder)
    .sort()
    .map((name) => skillAt(name, baseUrl));
  const index = {
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: texts.map(({ path, bytes }) => ({
      ...frontMatterOf(bytes.toString()),
      type: "skill-md",
      url: `${baseUrl}${path}`,
      digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
    })),
  };
  return [{ path: addresses.skills, type: jsonType, bytes: json(index) }, ...texts];
};

const skillAt = (name: string, baseUrl: string): PublishedDocument => {
  const text = readFileSync(join(folder, name, "SKILL.md"), "utf8");
  return {
    path: `/.well-known/agent-skills/${name}/SKILL.md`,
    type: markdownType,
    bytes: Buffer.from(text.replaceAll("{base_url}", baseUrl)),
  };
};

/** Each on one line of its own, as the files here are written. */
const frontMatterOf = (text: string) => {
  const member = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(text)?.[1] ?? "";
  return { name: member("name"), description: member("description") };
};
