import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";

const test = suite("links of deploy/");
const root = join(packageRoot, "deploy");
const pages = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".md"),
);

/** Anchors of GitHub: lower case, spaces to hyphens, other signs left out. */
const anchorsOf = (path: string): readonly string[] =>
  [...readFileSync(path, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

test("every link to a file or a section of a file leads to one", () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
      .filter(([, path = "", anchor]) => {
        const target = path === "" ? join(root, page) : join(root, dirname(page), path);
        if (!existsSync(target)) return true;
        return anchor !== undefined && !anchorsOf(target).includes(anchor);
      })
      .map(([link]) => `${page}: ${link}`),
  );
  assert.ok(pages.length > 5);
  assert.equal(broken, []);
});

test.run();
