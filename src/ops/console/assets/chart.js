import {
  axes,
  computeLayout,
  cursor,
  curve,
  height,
  limitLine,
  spanMs,
  stateSpans,
  stateStrip,
} from "./chart-layout.js";
import { el, setText, svgEl } from "./dom.js";
import { formatTime } from "./format.js";

/** Distance that an arrow key moves the cursor by. */
const keyStepMs = 10_000;

/**
 * Creates a line chart of the last ten minutes. Arrow keys and the pointer select single samples.
 * @param options `name`; `value` reads a sample; `show` formats a value with its unit, `tick` formats it for the axis;
 *   `minTop` is the minimum upper end of the axis
 * @returns a function that draws samples, with a line at the limit
 */
export const chart = (figure, options) => {
  const output = el("output", { "aria-live": "off" });
  const svg = svgEl("svg", { height, role: "img", tabindex: "0" });
  figure.replaceChildren(el("figcaption", {}, el("b", {}, options.name), output), svg);
  let samples = [];
  let limit;
  let layout;
  /** Selected time in milliseconds since 1970; undefined for the latest sample. */
  let selectedTime;

  const redraw = () => {
    const newest = samples.at(-1);
    if (!newest) return;
    layout = computeLayout(svg.clientWidth, samples, options);
    const shown = samples.find(({ at }) => at >= selectedTime) ?? newest;
    svg.setAttribute("viewBox", `0 0 ${layout.width} ${height}`);
    svg.replaceChildren(
      ...axes(layout, options),
      ...limitLine(layout, limit, options),
      ...curve(layout, samples, options),
      ...stateStrip(layout, samples),
      ...(shown === newest ? [] : [cursor(layout, shown)]),
    );
    const text = `${shown === newest ? "now" : formatTime(shown.at)} ${options.show(options.value(shown))}`;
    output.setAttribute("aria-live", shown === newest ? "off" : "polite");
    setText(output, text);
    svg.setAttribute("aria-label", describe(text, samples, options));
  };
  const select = (time) => {
    selectedTime = time;
    redraw();
  };
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Escape") select(undefined);
    const sign = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!sign || !layout) return;
    event.preventDefault();
    const next = Math.max(samples[0].at, (selectedTime ?? layout.newest) + sign * keyStepMs);
    select(next >= layout.newest ? undefined : next);
  });
  svg.addEventListener("pointermove", ({ offsetX }) => select(layout?.timeAt(offsetX)));
  svg.addEventListener("pointerleave", () => select(undefined));
  svg.addEventListener("blur", () => select(undefined));
  new ResizeObserver(redraw).observe(svg);
  return (allSamples, max) => {
    samples = allSamples.filter(({ at }) => at >= allSamples.at(-1).at - spanMs);
    limit = max;
    redraw();
  };
};

/** Describes the chart for screen readers. */
const describe = (text, samples, { name, value, show }) => {
  const highest = show(Math.max(...samples.map(value)));
  const spans = stateSpans(samples).slice(-5);
  const states = spans.map(({ state, from }) => `${state} from ${formatTime(from)}`).join(", ");
  return `${name} of the last 10 minutes: ${text}, highest ${highest}; ${states}. Arrow keys select single samples.`;
};
