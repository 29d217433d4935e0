import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseUrl } from "../../src/text/parse-url.ts";

const test = suite("web URLs");

/** Creates this many non-ASCII letters. */
const han = (count: number): string =>
  String.fromCodePoint(...Array.from({ length: count }, (_, at) => 0x4e00 + ((at * 31) % 20_000)));

test("URLs are parsed as by the platform", () => {
  const part = fc.constantFrom(
    "a",
    "é",
    "店",
    ".",
    "/",
    "\\",
    "//",
    ":",
    "@",
    "?",
    "#",
    "https:",
    "%",
    " ",
  );
  const counts = { addresses: 0, others: 0 };
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.boolean(), (parts, isRelative) => {
      const text = parts.join("");
      const base = isRelative ? "https://shop.example/a/" : undefined;
      const url = parseUrl(text, base);
      assert.is(url !== undefined, URL.canParse(text, base), text);
      if (url) assert.is(url.href, new URL(text, base).href);
      counts[url ? "addresses" : "others"] += 1;
    }),
    { numRuns: 2_000 },
  );
  assert.ok(counts.addresses > 100 && counts.others > 100);
});

test("host names of other scripts may be as long as DNS allows, paths longer", () => {
  assert.is(parseUrl(`https://${han(20)}.example/`)?.protocol, "https:");
  const longest = [63, 63, 63, 53].map(han).join(".");
  assert.ok(parseUrl(`https://${longest}.example/`));
  assert.ok(parseUrl(`https://shop.example/${han(2_000)}?${han(2_000)}`));
  assert.ok(parseUrl(han(2_000), "https://shop.example/"));
  assert.ok(parseUrl(`/${han(2_000)}`, "https://shop.example/"));
  assert.ok(parseUrl(`https://shop.example/${encodeURIComponent(han(2_000))}`));
  assert.ok(parseUrl(`https://${encodeURIComponent(longest)}/`));
  assert.ok(parseUrl(`https://${han(64)}@shop.example/`));
  assert.ok(parseUrl(`mailto:${han(64)}@shop.example,${han(300)}@shop.example`));
  assert.ok(parseUrl(`https://${"a".repeat(300)}.example/%20`));
});

test("host names longer than DNS allows are rejected, however they are written", () => {
  for (const text of [
    `https://${han(64)}.example/`,
    `HTTPS:\\\\${han(64)}`,
    `ht\ntp://\t${han(64)}/`,
    `  https:///${han(64)}/`,
    `https:${han(64)}/`,
    `https://user@${han(64)}:80/`,
    `https://${encodeURIComponent(han(64))}/`,
    `https://%ff${encodeURIComponent(han(64))}/`,
    `https://a.${encodeURIComponent(`${han(64)}.`)}example/`,
    `https://${Array.from({ length: 60 }, () => han(4)).join("。")}/`,
  ]) {
    assert.is(parseUrl(text), undefined, text);
    assert.is(parseUrl(text, "https://shop.example/"), undefined, text);
  }
  assert.is(parseUrl(`//${han(64)}/a`, "https://shop.example/"), undefined);
});

test.run();
