import fc from "fast-check";
import robotsParser from "robots-parser";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createGroup, type RobotsRule } from "../../../src/http/robots/match.ts";

const test = suite("robots.txt patterns");

/** The types of robots-parser wrongly declare a default export. */
const parse = robotsParser as unknown as typeof robotsParser.default;

const selectAsLibrary = (rules: readonly RobotsRule[], path: string): RobotsRule | undefined => {
  const lines = rules.map(({ allow, pattern }) => `${allow ? "Allow" : "Disallow"}: ${pattern}`);
  const parsed = parse("http://shop.invalid/robots.txt", ["User-agent: bot", ...lines].join("\n"));
  return rules[parsed.getMatchingLineNumber(`http://shop.invalid${path}`, "bot") - 2];
};

/** Few characters, so that patterns often match. */
const text = (characters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), maxLength });
const rule = fc.record({
  allow: fc.boolean(),
  pattern: fc
    .tuple(fc.constantFrom("/", "*", "a"), text("ab/**", 8), fc.constantFrom("", "$"))
    .map((parts) => parts.join("")),
});

test("the rule that decides is the one that robots-parser selects", () => {
  let matched = 0;
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), text("ab/", 10), (rules, rest) => {
      const path = `/${rest}`;
      const selected = createGroup(rules).match(path);
      if (selected) matched += 1;
      assert.equal(selected, selectAsLibrary(rules, path), `${JSON.stringify(rules)} ${path}`);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(matched > 500, `only ${matched} matched`);
});

test.run();
