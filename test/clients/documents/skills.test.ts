/** The skills command lists and installs the skills of the service. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { mustMatch } from "../graphql/scenario.ts";
import { createProject } from "../project.ts";
import { exhaustLimit, services } from "../services.ts";

const test = suite("skills");

const project = createProject();

const names = readdirSync(join(packageRoot, "schema", "skills"));

test("lists the skills", async () => {
  const shown = await project.mustRun("skills", "add", services.url, "--list");
  mustMatch(shown, new RegExp(`Found ${names.length} skills`));
  for (const name of names) mustMatch(shown, new RegExp(name));
});

test("installs the skills as served, which it compares with the digests", async () => {
  const options = ["--yes", "--copy", "--agent", "claude-code"];
  const shown = await project.mustRun("skills", "add", services.url, ...options);
  mustMatch(shown, new RegExp(`Installed ${names.length} skills`));
  for (const name of names) {
    const file = join(project.path, ".claude", "skills", name, "SKILL.md");
    const served = await fetch(`${services.url}/.well-known/agent-skills/${name}/SKILL.md`);
    assert.is(readFileSync(file, "utf8"), await served.text());
  }
});

test("shows a 429", async () => {
  await exhaustLimit();
  const { code, output } = await project.run("skills", "add", services.limitedUrl, "--list");
  assert.is(code, 1, output);
  mustMatch(output, /HTTP 429/);
});

test.run();
