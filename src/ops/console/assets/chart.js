import { draw, make, say } from "./page.js";
import {
  axes,
  cursor,
  curve,
  height,
  limitLine,
  plotOf,
  span,
  stateSpans,
  stateStrip,
} from "./plot.js";
import { timeOf } from "./words.js";

/** Distance that an arrow key moves the cursor by. */
const keyStepMs = 10_000;

/**
 * Creates a line chart of the last ten minutes. Arrow keys and the pointer select single samples.
 * @param options `name`; `value` reads a sample; `show` formats a value with its unit, `tick` formats it for the axis;
 *   `least` is the minimum upper end of the axis
 * @returns a function that draws samples, with a line at the limit
 */
export const chart = (figure, options) => {
  const reading = make("output", { "aria-live": "off" });
  const svg = draw("svg", { height, role: "img", tabindex: "0" });
  figure.replaceChildren(make("figcaption", {}, make("b", {}, options.name), reading), svg);
  let samples = [];
  let limit;
  let plot;
  /** Selected time in milliseconds since 1970; undefined for the latest sample. */
  let selectedTime;

  const redraw = () => {
    const newest = samples.at(-1);
    if (!newest) return;
    plot = plotOf(svg.clientWidth, samples, options);
    const shown = samples.find(({ at }) => at >= selectedTime) ?? newest;
    svg.setAttribute("viewBox", `0 0 ${plot.width} ${height}`);
    svg.replaceChildren(
      ...axes(plot, options),
      ...limitLine(plot, limit, options),
      ...curve(plot, samples, options),
      ...stateStrip(plot, samples),
      ...(shown === newest ? [] : [cursor(plot, shown)]),
    );
    const text = `${shown === newest ? "now" : timeOf(shown.at)} ${options.show(options.value(shown))}`;
    reading.setAttribute("aria-live", shown === newest ? "off" : "polite");
    say(reading, text);
    svg.setAttribute("aria-label", describe(text, samples, options));
  };
  const select = (time) => {
    selectedTime = time;
    redraw();
  };
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Escape") select(undefined);
    const sign = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!sign || !plot) return;
    event.preventDefault();
    const next = Math.max(samples[0].at, (selectedTime ?? plot.newest) + sign * keyStepMs);
    select(next >= plot.newest ? undefined : next);
  });
  svg.addEventListener("pointermove", ({ offsetX }) => select(plot?.timeAt(offsetX)));
  svg.addEventListener("pointerleave", () => select(undefined));
  svg.addEventListener("blur", () => select(undefined));
  new ResizeObserver(redraw).observe(svg);
  return (latest, allowed) => {
    samples = latest.filter(({ at }) => at >= latest.at(-1).at - span);
    limit = allowed;
    redraw();
  };
};

/** Describes the chart for screen readers. */
const describe = (reading, samples, { name, value, show }) => {
  const highest = show(Math.max(...samples.map(value)));
  const spans = stateSpans(samples).slice(-5);
  const states = spans.map(({ state, from }) => `${state} from ${timeOf(from)}`).join(", ");
  return `${name} of the last 10 minutes: ${reading}, highest ${highest}; ${states}. Arrow keys read single moments.`;
};
