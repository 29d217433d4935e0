/** Every section of the runbook is a drill, and its blocks of commands are of one form. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { anchorOf, readPage, readSections } from "./drills/harness/page.ts";

const test = suite("sections of deploy/runbook.md");
const page = readPage();
const sections = readSections(page);

/** Sections without a drill. */
const withoutDrill: Readonly<Record<string, string>> = {
  Symptoms:
    "it is a table of messages; the drill of the section that a row points to checks its messages",
  Alerts: "it is a table of alerts; tests of the rules check them",
};

const drills = readdirSync(join(packageRoot, "test", "deploy", "drills"))
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => name.replace(".test.ts", ""));

test("every section has a drill, and every drill a section", () => {
  assert.ok(sections.length > 20);
  const expected = sections
    .map(({ title }) => title)
    .filter((title) => !Object.hasOwn(withoutDrill, title))
    .map(anchorOf);
  assert.equal([...drills].sort(), [...expected].sort());
  const titles = sections.map(({ title }) => title);
  assert.equal(
    Object.keys(withoutDrill).filter((title) => !titles.includes(title)),
    [],
  );
});

test("every link to a section leads to one", () => {
  const anchors = sections.map(({ title }) => anchorOf(title));
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = ""]) => anchor);
  assert.equal(
    links.filter((anchor) => !anchors.includes(anchor)),
    [],
  );
});

test("every code block is of commands, of their output, or of a configuration", () => {
  const fences = [...page.matchAll(/^```(.*)\n[\s\S]*?^```$/gm)].map(([, info]) => info);
  assert.ok(fences.length > 60);
  assert.equal(
    fences.filter((info) => !["sh", "sh not-run", "text", "conf"].includes(info ?? "")),
    [],
  );
  const outputs = sections.flatMap(({ blocks }) => blocks).filter(({ output }) => output);
  assert.is(fences.filter((info) => info === "text").length, outputs.length);
});

test("a block that no drill runs names what it needs, and has no output", () => {
  const notRun = sections.flatMap(({ blocks }) => blocks).filter(({ isRun }) => !isRun);
  assert.ok(notRun.length > 0);
  for (const { commands, output } of notRun) {
    assert.match(commands, /^# not run by the drills: needs \S/);
    assert.is(output, undefined, commands);
  }
});

test.run();
