import { suite } from "uvu";
import * as assert from "uvu/assert";
import { formatAttribute } from "../../src/text/attribute-value.ts";

const test = suite("values of attributes");

type Case = readonly [text: string, numericValue: string, unit: string, shown: string];

test("a text with a sign, a fraction or a second number stays, with its unit once", () => {
  const cases: readonly Case[] = [
    ["≥ 3", "3", "h", "≥ 3 h"],
    ["<10", "10", "µm", "<10 µm"],
    ["~20", "20", "l", "~20 l"],
    ["5 / 10", "5", "mm", "5 / 10 mm"],
    ["10 … 35", "10", "°C", "10 … 35 °C"],
    ["60 80", "60", "cm", "60 80 cm"],
    ["½", "0.5", "in", "½ in"],
    ["3 x 5 x 7", "3", "cm", "3 x 5 x 7 cm"],
    ["(12)", "12", "W", "(12) W"],
    ["±0", "0", "mm", "±0 mm"],
    ["≤ 2 kg", "2", "kg", "≤ 2 kg"],
    ["100", "1", "kg", "100 kg"],
    ["1.5", "15", "l", "1.5 l"],
    ["1050", "105", "g", "1050 g"],
    ["0,5", "5", "l", "0,5 l"],
  ];
  for (const [text, numericValue, unit, shown] of cases)
    assert.is(formatAttribute(text, { numericValue, unit }), shown, text);
});

test("a text that is the number or the range alone is written from the numbers", () => {
  const cases: readonly Case[] = [
    ["1.000", "1000", "g", "1000 g"],
    ["12,50", "12.5", "kg", "12.5 kg"],
    ["1 500", "1500", "W", "1500 W"],
    ["1.234,50", "1234.5", "g", "1234.5 g"],
    ["1.234", "1.234", "kg", "1.234 kg"],
    ["5.0", "5", "m", "5 m"],
    ["0,5", "0.50", "l", "0.50 l"],
    ["−5", "-5", "°C", "-5 °C"],
    ["", "7", "m", "7 m"],
  ];
  for (const [text, numericValue, unit, shown] of cases)
    assert.is(formatAttribute(text, { numericValue, unit }), shown, text);
  assert.is(formatAttribute("2-8", { numericValue: "2", max: "8", unit: "°C" }), "2–8 °C");
  assert.is(
    formatAttribute("2 to 8", { numericValue: "2", max: "8", unit: "°C" }),
    "2 to 8 (2–8 °C)",
  );
});

test.run();
