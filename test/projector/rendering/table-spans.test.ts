import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";

const test = suite("cells over several rows or columns");
const { toPlainText, markdown } = createHtmlRenderer();

const check = (html: string, ...rows: readonly string[]): void =>
  assert.is(markdown(`<table>${html}</table>`).replace(/ +/g, " "), rows.join("\n"), html);

test("a cell over several rows is repeated in each of them", () => {
  check(
    "<tr><th>Model</th><th>Feature</th></tr><tr><td rowspan=2>X1</td><td>Wifi</td></tr><tr><td>BT</td></tr><tr><td>X2</td><td>NFC</td></tr>",
    "| Model | Feature |",
    "| --- | --- |",
    "| X1 | Wifi |",
    "| X1 | BT |",
    "| X2 | NFC |",
  );
  check(
    "<tr><th>A</th><th>B</th><th>C</th></tr><tr><td>1</td><td rowspan='3'>2</td><td>3</td></tr><tr><td>4</td><td>5</td></tr><tr><td>6</td><td>7</td></tr>",
    "| A | B | C |",
    "| --- | --- | --- |",
    "| 1 | 2 | 3 |",
    "| 4 | 2 | 5 |",
    "| 6 | 2 | 7 |",
  );
});

test("a cell over several columns is repeated under each heading; a title of a full row is not", () => {
  check(
    "<tr><th>A</th><th>B</th><th>C</th></tr><tr><td colspan=2>1</td><td>2</td></tr><tr><td colspan=3>Title</td></tr><tr><td>3</td><td>4</td><td>5</td></tr>",
    "| A | B | C |",
    "| --- | --- | --- |",
    "| 1 | 1 | 2 |",
    "| Title |",
    "| 3 | 4 | 5 |",
  );
});

test("of two heading rows the second is a row of the table, each cell under its own heading", () => {
  check(
    "<thead><tr><th rowspan=2>Model</th><th colspan=2>Size</th></tr><tr><th>W</th><th>H</th></tr></thead><tbody><tr><td>X1</td><td>1</td><td>2</td></tr></tbody>",
    "| Model | Size | Size |",
    "| --- | --- | --- |",
    "| Model | W | H |",
    "| X1 | 1 | 2 |",
  );
  check(
    "<tr><th colspan=2>Title</th></tr><tr><td>1</td><td>2</td></tr>",
    "| Title | |",
    "| --- | --- |",
    "| 1 | 2 |",
  );
});

test("no cell extends into another group of rows", () => {
  check(
    "<thead><tr><th rowspan=9>A</th><th>B</th></tr></thead><tbody><tr><td rowspan=0>1</td><td>2</td></tr><tr><td>3</td></tr></tbody><tfoot><tr><td>4</td><td>5</td></tr></tfoot>",
    "| A | B |",
    "| --- | --- |",
    "| 1 | 2 |",
    "| 1 | 3 |",
    "| 4 | 5 |",
  );
});

test("columns that no row separates become one", () => {
  check(
    "<tr><th colspan=5>A</th><th colspan=5>B</th></tr><tr><td colspan=5>1</td><td>2</td></tr>",
    "| A | B |",
    "| --- | --- |",
    "| 1 | 2 |",
  );
});

test("a long cell is not repeated: an empty one keeps its position", () => {
  const long = "word ".repeat(60).trim();
  check(
    `<tr><th>A</th><th>B</th></tr><tr><td rowspan=2>${long}</td><td>1</td></tr><tr><td>2</td></tr>`,
    "| A | B |",
    "| --- | --- |",
    `| ${long} | 1 |`,
    "| | 2 |",
  );
});

test("a span that is zero, negative or not a number is ignored", () => {
  for (const span of ["colspan=0", "rowspan=-1", "colspan=x", "rowspan=''", "colspan=-5"]) {
    check(
      `<tr><th>A</th><th>B</th></tr><tr><td ${span}>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr>`,
      "| A | B |",
      "| --- | --- |",
      "| 1 | 2 |",
      "| 3 | 4 |",
    );
  }
});

test("overlapping cells take the free positions", () => {
  check(
    "<tr><th>A</th><th>B</th><th>C</th></tr><tr><td>1</td><td rowspan=2>2</td><td>3</td></tr><tr><td colspan=3>4</td><td>5</td></tr>",
    "| A | B | C |",
    "| --- | --- | --- |",
    "| 1 | 2 | 3 |",
    "| 4 | 2 | 5 |",
  );
});

test("a span in a layout table makes no table of it", () => {
  assert.is(
    markdown(
      "<table><tr><td colspan=2>In<table><tr><th>A</th><th>B</th></tr><tr><td rowspan=2>1</td><td>2</td></tr><tr><td>3</td></tr></table></td></tr></table>",
    ),
    "In\n\n| A   | B   |\n| --- | --- |\n| 1   | 2   |\n| 1   | 3   |",
  );
});

test("a caption and text between rows precede the table", () => {
  check(
    "<caption>Sizes</caption><tr><th>A</th><th>B</th></tr> stray <tr><td rowspan=2>1</td><td>2</td></tr><tr><td>3</td></tr>",
    "Sizes",
    "",
    "stray",
    "",
    "| A | B |",
    "| --- | --- |",
    "| 1 | 2 |",
    "| 1 | 3 |",
  );
});

test("plain text has each cell once", () => {
  const html =
    "<table><tr><th>A</th><th>B</th></tr><tr><td rowspan=2 colspan=3>1</td><td>2</td></tr><tr><td>3</td></tr></table>";
  assert.is(toPlainText(html), "A\nB\n1\n2\n3");
});

test("hostile spans cost little time and give little text", () => {
  const many = (count: number, make: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => make(at)).join("");
  const tables = [
    "<tr><td rowspan=65535 colspan=1000>a</td><td colspan=1000>b</td></tr>".repeat(400),
    `<tr>${"<td rowspan=65535>a</td>".repeat(900)}</tr>${"<tr><td>b</td></tr>".repeat(900)}`,
    many(600, (at) => `<tr><td colspan=${at + 1}>a</td><td>b</td></tr>`),
    `<tr>${"<td>a</td>".repeat(900)}</tr>${"<tr><td>b</td><td colspan=1000>c</td></tr>".repeat(500)}`,
    `<tr><td rowspan=99999999999999999999 colspan=99999999999>${"a".repeat(90)}</td><td>b</td></tr>${"<tr><td>c</td></tr>".repeat(1_000)}`,
    `<tr><td>a<div><td rowspan=9 colspan=1000>b</td></div></td><td>c</td></tr>`,
    `<td rowspan=9 colspan=1000>a<td colspan=1000>b`,
  ];
  for (const rows of tables) {
    const worked = cpuTime();
    const shown = markdown(`<table>${rows}</table>`);
    assert.ok(worked() < 1_000, `${worked()} ms for ${rows.slice(0, 80)}`);
    assert.ok(shown.length < 200_000, `${shown.length} characters for ${rows.slice(0, 80)}`);
    assert.match(shown, "b");
  }
});

test.run();
