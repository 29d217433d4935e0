import { chart } from "./chart.js";
import { loadExplain } from "./explain.js";
import { loadGenerations } from "./generations.js";
import { loadLetters } from "./letters.js";
import { at, say } from "./page.js";
import { showGone, showState, showWork } from "./state.js";
import { listen } from "./stream.js";
import { count, duration, timeOf } from "./words.js";

/** Milliseconds: what the service keeps; and how often is asked for what the stream does not tell. */
const kept = 600_000;
const askEvery = 30_000;

const drawLag = chart(at("chart-lag"), {
  name: "Lag",
  value: ({ lagSeconds }) => lagSeconds,
  show: duration,
  tick: (seconds) => (seconds >= 120 ? `${Math.round(seconds / 60)} min` : `${seconds} s`),
  least: 5,
});
const drawRate = chart(at("chart-rate"), {
  name: "Throughput",
  value: ({ eventsPerSecond }) => eventsPerSecond,
  show: (events) => `${count(events)} events/s`,
  tick: count,
  least: 10,
});

let samples = [];
/** What dead letters and generations may have changed with. */
let seen = "";
let asked = 0;

const refresh = async ({ status, building }) => {
  const now = JSON.stringify([
    status?.tally.rejected,
    status?.counts?.deadLetters,
    status?.generation,
    building?.phase,
  ]);
  if (now === seen && Date.now() - asked < askEvery) return;
  seen = now;
  asked = Date.now();
  const answered = await Promise.all([loadLetters(), loadGenerations()]);
  // Asked again with the next status.
  if (answered.includes(false)) asked = 0;
};

const link = (text, isGone) => {
  const element = at("link");
  say(element, text);
  element.dataset.gone = String(isGone);
};

listen({
  history(told) {
    samples = told.samples;
    // The service may be another one than before.
    asked = 0;
  },
  status(told) {
    const { at: time, state, status, lagSeconds } = told;
    const eventsPerSecond = state === "silent" ? 0 : (status?.eventsPerSecond ?? 0);
    const sample = { at: time, state, lagSeconds, eventsPerSecond };
    samples = [...samples.filter(({ at }) => at > time - kept && at < time), sample];
    link(`Connected, ${timeOf(time)}`, false);
    showState(told);
    showWork(told);
    drawLag(samples, told.maxLag);
    drawRate(samples);
    void refresh(told);
  },
  gone(heard) {
    link(`No answer since ${timeOf(heard)}, trying again`, true);
    showGone(heard);
  },
});
loadExplain();
