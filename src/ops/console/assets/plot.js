import { draw } from "./page.js";
import { toneOf } from "./state.js";
import { timeOf } from "./words.js";

/** Milliseconds that a chart spans: what the service keeps. */
export const span = 600_000;

/** Pixels. */
export const height = 156;
const inner = { top: 8, bottom: 34, right: 4 };

/** Samples further apart than this, in milliseconds, have nothing between them: the service was away. */
const longestStep = 5_000;

/** Where a moment and a value are, on a chart of this width in pixels. */
export const plotOf = (width, samples, { value, tick, least }) => {
  const newest = samples.at(-1).at;
  const top = topOf(samples.map(value), least);
  const left = 14 + 7 * Math.max(tick(top).length, tick(top / 2).length);
  const right = Math.max(left + 1, width - inner.right);
  const bottom = height - inner.bottom;
  return {
    width: Math.max(1, width),
    newest,
    top,
    left,
    right,
    bottom,
    x: (time) => left + ((time - newest + span) / span) * (right - left),
    y: (height) => bottom - (height / top) * (bottom - inner.top),
    timeAt: (x) => newest - span + (span * (x - left)) / (right - left),
  };
};

/** A round number that no value is over. */
const topOf = (values, least) => {
  const highest = Math.max(least, ...values);
  const power = 10 ** Math.floor(Math.log10(highest));
  return power * [1, 2, 5, 10].find((step) => step * power >= highest);
};

export const axes = ({ left, right, bottom, top, y }, { tick }) => [
  ...[0, top / 2, top].flatMap((value) => [
    draw("line", { class: "grid", x1: left, x2: right, y1: y(value), y2: y(value) }),
    draw("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, tick(value)),
  ]),
  draw("text", { x: left, y: bottom + 28 }, "10 min ago"),
  draw("text", { x: (left + right) / 2, y: bottom + 28, "text-anchor": "middle" }, "5 min"),
  draw("text", { x: right, y: bottom + 28, "text-anchor": "end" }, "now"),
];

/** A line at the value that is still allowed, once values come near it. */
export const limitLine = ({ left, right, top, y }, limit, { name, show }) => {
  if (limit === undefined || limit > top) return [];
  const line = draw("line", { class: "limit", x1: left, x2: right, y1: y(limit), y2: y(limit) });
  line.append(draw("title", {}, `${name} allowed: ${show(limit)}`));
  return [line];
};

/** The line breaks where the service told nothing for a while. */
export const curve = ({ x, y, bottom }, samples, { value }) => {
  const parts = [];
  for (const sample of samples) {
    const part = parts.at(-1);
    if (part && sample.at - part.at(-1).at < longestStep) part.push(sample);
    else parts.push([sample]);
  }
  return parts.flatMap((part) => {
    const line = part.map((one) => `${x(one.at).toFixed(1)} ${y(value(one)).toFixed(1)}`).join("L");
    const [from, to] = [x(part[0].at), x(part.at(-1).at)].map((place) => place.toFixed(1));
    return [
      draw("path", { class: "area", d: `M${from} ${bottom}L${line}L${to} ${bottom}Z` }),
      draw("path", { class: "line", d: `M${line}` }),
    ];
  });
};

/** From when to when each state lasted. */
export const stateSpans = (samples) => {
  const spans = [];
  for (const { at, state } of samples) {
    const last = spans.at(-1);
    if (last?.state === state && at - last.to < longestStep) last.to = at;
    else spans.push({ state, from: at, to: at });
  }
  return spans;
};

/** Below the line, the state at each moment; its tooltip says it in words. */
export const stateStrip = ({ x, bottom }, samples) =>
  stateSpans(samples).map(({ state, from, to }) => {
    const width = Math.max(1, x(to) - x(from) + 1);
    const strip = draw("rect", { class: "span", x: x(from), y: bottom + 6, width, height: 5 });
    strip.dataset.tone = toneOf({ state });
    strip.append(draw("title", {}, `${state} from ${timeOf(from)} to ${timeOf(to)}`));
    return strip;
  });

export const cursor = ({ x, bottom }, { at }) =>
  draw("line", { class: "cursor", x1: x(at), x2: x(at), y1: inner.top, y2: bottom });
