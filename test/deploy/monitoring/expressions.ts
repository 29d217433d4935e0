/** Takes PromQL expressions apart. Prometheus 2.42 has no API that parses one. */

/** A vector selector, and how far back it reads. */
export interface Selector {
  readonly selector: string;
  readonly offsetSeconds: number;
}

/** A list of labels after `by`, `on` and the like, which looks like a list of metrics. */
const labelList = /\b(?:by|without|on|ignoring|group_left|group_right) \([^)]*\)/g;

/** A name with its label matchers, range and offset. A bracket after it tells a function from a selector. */
const name = /(?<![\w.])([a-zA-Z_]\w*(?:\{[^}]*\})?)(?:\[\w+\])?(?: offset (\d+)h)?(\s*\()?/g;

const keywords = new Set(["and", "or", "unless", "bool"]);

/** Finds every vector selector: each name that is neither a function nor a keyword nor a label. */
export const selectorsIn = (expression: string): readonly Selector[] =>
  [...expression.replaceAll(labelList, "").matchAll(name)]
    .filter(([, selector = "", , call]) => call === undefined && !keywords.has(selector))
    .map(([, selector = "", hours = "0"]) => ({ selector, offsetSeconds: Number(hours) * 3600 }));

/**
 * Changes the expression of an alert so that it has data whether or not the alert fires, as long as each operand has data.
 * With `bool` a comparison answers 0 or 1. `absent(x)` becomes `x`. An offset is left out, because the test's Prometheus has run for
 * seconds.
 */
export const withoutThresholds = (expression: string): string =>
  expression
    .replaceAll(/absent\((\w+)\)/g, "$1")
    .replaceAll(/ offset \w+/g, "")
    .replaceAll(/\{[^}]*\}|==|!=|[<>]=?/g, (part) =>
      part.startsWith("{") ? part : `${part} bool`,
    );
