import { svgEl } from "./dom.js";
import { formatTime } from "./format.js";
import { toneOf } from "./state.js";

/** Period of a chart, the same as that of the service's samples. */
export const spanMs = 600_000;

/** Height of a chart in pixels. */
export const height = 156;
const padding = { top: 8, bottom: 34, right: 4 };

/** Gap between samples that breaks the line, because the service was unavailable. */
const maxGapMs = 5_000;

/** Computes the layout and the scales of a chart. @param width in pixels */
export const computeLayout = (width, samples, { value, tick, minTop }) => {
  const newest = samples.at(-1).at;
  const top = computeAxisTop(samples.map(value), minTop);
  const left = 14 + 7 * Math.max(tick(top).length, tick(top / 2).length);
  const right = Math.max(left + 1, width - padding.right);
  const bottom = height - padding.bottom;
  return {
    width: Math.max(1, width),
    newest,
    top,
    left,
    right,
    bottom,
    x: (time) => left + ((time - newest + spanMs) / spanMs) * (right - left),
    y: (number) => bottom - (number / top) * (bottom - padding.top),
    timeAt: (x) => newest - spanMs + (spanMs * (x - left)) / (right - left),
  };
};

/** @returns the smallest round number that no value exceeds */
const computeAxisTop = (values, minTop) => {
  const highest = Math.max(minTop, ...values);
  const power = 10 ** Math.floor(Math.log10(highest));
  return power * [1, 2, 5, 10].find((step) => step * power >= highest);
};

export const axes = ({ left, right, bottom, top, y }, { tick }) => [
  ...[0, top / 2, top].flatMap((value) => [
    svgEl("line", { class: "grid", x1: left, x2: right, y1: y(value), y2: y(value) }),
    svgEl("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, tick(value)),
  ]),
  svgEl("text", { x: left, y: bottom + 28 }, "10 min ago"),
  svgEl("text", { x: (left + right) / 2, y: bottom + 28, "text-anchor": "middle" }, "5 min"),
  svgEl("text", { x: right, y: bottom + 28, "text-anchor": "end" }, "now"),
];

/** Draws a line at the limit if it is within the range of the axis. */
export const limitLine = ({ left, right, top, y }, limit, { name, show }) => {
  if (limit === undefined || limit > top) return [];
  const line = svgEl("line", { class: "limit", x1: left, x2: right, y1: y(limit), y2: y(limit) });
  line.append(svgEl("title", {}, `Maximum ${name.toLowerCase()}: ${show(limit)}`));
  return [line];
};

/** Draws the values as a line, with breaks where samples are missing. */
export const curve = ({ x, y, bottom }, samples, { value }) => {
  const segments = [];
  for (const sample of samples) {
    const segment = segments.at(-1);
    if (segment && sample.at - segment.at(-1).at < maxGapMs) segment.push(sample);
    else segments.push([sample]);
  }
  return segments.flatMap((segment) => {
    const line = segment
      .map((sample) => `${x(sample.at).toFixed(1)} ${y(value(sample)).toFixed(1)}`)
      .join("L");
    const [from, to] = [x(segment[0].at), x(segment.at(-1).at)].map((offset) => offset.toFixed(1));
    return [
      svgEl("path", { class: "area", d: `M${from} ${bottom}L${line}L${to} ${bottom}Z` }),
      svgEl("path", { class: "line", d: `M${line}` }),
    ];
  });
};

/** Computes the start and end of each period with the same state. */
export const stateSpans = (samples) => {
  const spans = [];
  for (const { at, state } of samples) {
    const last = spans.at(-1);
    if (last?.state === state && at - last.to < maxGapMs) last.to = at;
    else spans.push({ state, from: at, to: at });
  }
  return spans;
};

/** Draws a strip with the states below the line. Its tooltips show state and times. */
export const stateStrip = ({ x, bottom }, samples) =>
  stateSpans(samples).map(({ state, from, to }) => {
    const width = Math.max(1, x(to) - x(from) + 1);
    const strip = svgEl("rect", { class: "span", x: x(from), y: bottom + 6, width, height: 5 });
    strip.dataset.tone = toneOf({ state });
    strip.append(svgEl("title", {}, `${state} from ${formatTime(from)} to ${formatTime(to)}`));
    return strip;
  });

export const cursor = ({ x, bottom }, { at }) =>
  svgEl("line", { class: "cursor", x1: x(at), x2: x(at), y1: padding.top, y2: bottom });
