import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";

const test = suite("superscripts and subscripts");
const { toPlainText, markdown, summary } = createHtmlRenderer();

/** HTML and its plain text; its Markdown where it differs. */
type Case = readonly [html: string, text: string, markdown?: string];

const check = (cases: readonly Case[]): void => {
  for (const [html, plain, marked = plain] of cases) {
    assert.is(toPlainText(`<p>${html}</p>`), plain, html);
    assert.is(summary(`<p>${html}</p>`), plain, html);
    assert.is(markdown(`<p>${html}</p>`), marked, html);
  }
};

test("digits and signs with Unicode superscripts or subscripts become those characters", () => {
  check([
    ["10<sup>3</sup> litres, only 9<sup>99</sup>", "10³ litres, only 9⁹⁹"],
    ["5 m<sup>2</sup> and 7 cm<sup>3</sup>", "5 m² and 7 cm³"],
    ["H<sub>2</sub>SO<sub>4</sub>", "H₂SO₄"],
    ["x<sup>n+1</sup> = y<sup>2n</sup> (i<sup>i</sup>)", "xⁿ⁺¹ = y²ⁿ (iⁱ)"],
    ["10<sup>-6</sup> and 10<sup>\u22126</sup> and 10<sup>–6</sup>", "10⁻⁶ and 10⁻⁶ and 10⁻⁶"],
    ["x<sub>i</sub>, x<sub>n-1</sub>, log<sub>10</sub>", "xᵢ, xₙ₋₁, log₁₀"],
    ["20.00<sup>1)</sup>", "20.00¹⁾"],
  ]);
});

test("a price with superscript cents is not joined to its euros", () => {
  check([
    ["<sup>$</sup>19<sup>99</sup>", "$19⁹⁹"],
    ["19,<sup>99</sup> €", "19,⁹⁹ €"],
    ["19<sup>.99</sup>", "19.⁹⁹"],
    ["19<sup>,99 €</sup>", "19,⁹⁹ €"],
    ["19<sup>€99</sup>", "19€⁹⁹"],
    ["19<sup><small>99</small></sup>", "19⁹⁹"],
  ]);
});

test("a footnote mark is not joined to the word or price before it", () => {
  check([
    ["20.00<sup>1</sup>", "20.00¹"],
    ["warranty<sup>1</sup>", "warranty¹"],
    ["warranty<sup>[1]</sup>", "warranty[¹]", "warranty\\[¹\\]"],
    ['20.00<sup><a href="#fn1">1</a></sup>', "20.00¹", "20.00[¹](#fn1)"],
    ["20.00<sup>1, 2</sup>", "20.00^(1, 2)"],
    ["20.00 €<sup>1,2</sup>", "20.00 €^(1,2)"],
    ["20.00<sup>*</sup>", "20.00*", "20.00\\*"],
    ["<sup>1</sup> Including VAT", "¹ Including VAT"],
  ]);
});

test("other superscripts are marked where they would be joined to a digit", () => {
  check([
    ["10<sup>0.5</sup>", "10^(0.5)"],
    ["x<sup>2y</sup>", "x^(2y)"],
    ["x<sub>2y</sub>", "x_(2y)", "x\\_(2y)"],
    ["10<sup>٣</sup>", "10^(٣)"],
    ["<sup>1a</sup>Text", "^(1a)Text"],
    ["2<sup>3<sup>4</sup></sup>", "2^(3⁴)"],
    ["m<sup>2</sup><sup>1</sup>", "m²^(1)"],
    ["x<sub>1</sub><sub>2</sub>", "x₁_(2)", "x₁\\_(2)"],
    ["10<sup>3<b>.5</b></sup>", "10^(3.5)", "10^(3.5)"],
  ]);
});

test("superscript letters, signs and lone superscripts stay readable", () => {
  check([
    ["the 1<sup>st</sup>, the 2<sup>ème</sup>", "the 1st, the 2ème"],
    ["Brand<sup>®</sup>", "Brand®"],
    ["Brand<sup>TM</sup>, Other<sup>tm</sup>, Service<sup>SM</sup>", "Brand™, Other™, Service℠"],
    ["1<sup>o</sup>, 1<sup>a</sup>, 20<sup>o</sup>C", "1º, 1ª, 20ºC"],
    ['text<sup><a href="#a">a</a></sup>', "textª", "text[ª](#a)"],
    ["5<sup>in</sup>, V<sub>in</sub>, T<sub>max</sub>", "5in, Vin, Tmax"],
    ["<sup>Contents: 500 ml</sup>", "Contents: 500 ml"],
    ["only <sup>19.99</sup> today", "only 19.99 today"],
    ["10<sup></sup>5<sup> </sup>a", "105 a"],
    ["x<sup><sup>2</sup></sup>, y<sup>²</sup>", "x², y²"],
  ]);
});

test("a block or a line break separates a superscript from the text before it", () => {
  assert.is(toPlainText("<p>10</p><sup>1,2</sup> a"), "10\n1,2 a");
  assert.is(toPlainText("10<br><sup>1a</sup> a"), "10\n1a a");
  assert.is(
    markdown("<table><tr><td>10<sup>3</sup></td><td><sup>1/2</sup></td></tr></table>"),
    "|     |     |\n| --- | --- |\n| 10³ | 1/2 |",
  );
});

test("an unclosed superscript is not joined to the digit before it", () => {
  assert.is(toPlainText("10<sup>3 litres<p>More text</p>"), "10^(3 litres\nMore text\n)");
  assert.is(toPlainText("<p>10<sup>3 litres</p><p>More</p>"), "10^(3 litres)\nMore");
});

test.run();
