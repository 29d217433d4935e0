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

/** Milliseconds that an arrow key moves the reading by. */
const step = 10_000;

/**
 * A line over the last ten minutes, drawn anew with each sample. Arrow keys and the pointer read single moments.
 * @param options `name`; `value` of a sample; `show` of a value with its unit, `tick` of one at the axis;
 *   `least`: the smallest top of the axis
 * @returns draws samples, with a line at the value that is still allowed
 */
export const chart = (figure, options) => {
  const reading = make("output", { "aria-live": "off" });
  const svg = draw("svg", { height, role: "img", tabindex: "0" });
  figure.replaceChildren(make("figcaption", {}, make("b", {}, options.name), reading), svg);
  let samples = [];
  let limit;
  let plot;
  /** The moment that is read; undefined for now. */
  let read;

  const redraw = () => {
    const newest = samples.at(-1);
    if (!newest) return;
    plot = plotOf(svg.clientWidth, samples, options);
    const shown = samples.find(({ at }) => at >= read) ?? newest;
    svg.setAttribute("viewBox", `0 0 ${plot.width} ${height}`);
    svg.replaceChildren(
      ...axes(plot, options),
      ...limitLine(plot, limit, options),
      ...curve(plot, samples, options),
      ...stateStrip(plot, samples),
      ...(shown === newest ? [] : [cursor(plot, shown)]),
    );
    const now = `${shown === newest ? "now" : timeOf(shown.at)} ${options.show(options.value(shown))}`;
    reading.setAttribute("aria-live", shown === newest ? "off" : "polite");
    say(reading, now);
    svg.setAttribute("aria-label", describe(now, samples, options));
  };
  const move = (time) => {
    read = time;
    redraw();
  };
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Escape") move(undefined);
    const sign = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!sign || !plot) return;
    event.preventDefault();
    const next = Math.max(samples[0].at, (read ?? plot.newest) + sign * step);
    move(next >= plot.newest ? undefined : next);
  });
  svg.addEventListener("pointermove", ({ offsetX }) => move(plot?.timeAt(offsetX)));
  svg.addEventListener("pointerleave", () => move(undefined));
  svg.addEventListener("blur", () => move(undefined));
  new ResizeObserver(redraw).observe(svg);
  return (latest, allowed) => {
    samples = latest.filter(({ at }) => at >= latest.at(-1).at - span);
    limit = allowed;
    redraw();
  };
};

/** What the chart shows, for whoever cannot see it. */
const describe = (now, samples, { name, value, show }) => {
  const highest = show(Math.max(...samples.map(value)));
  const spans = stateSpans(samples).slice(-5);
  const states = spans.map(({ state, from }) => `${state} from ${timeOf(from)}`).join(", ");
  return `${name} of the last 10 minutes: ${now}, highest ${highest}; ${states}. Arrow keys read single moments.`;
};
