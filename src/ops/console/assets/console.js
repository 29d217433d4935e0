import { chart } from "./chart.js";
import { loadExplain } from "./explain.js";
import { loadGenerations } from "./generations.js";
import { loadLetters } from "./letters.js";
import { at, say } from "./page.js";
import { showGone, showState, showWork } from "./state.js";
import { listen } from "./stream.js";
import { count, duration, timeOf } from "./words.js";

/** Period that the service keeps samples for. */
const historyMs = 600_000;
/** Interval for data that the event stream does not contain. */
const refreshIntervalMs = 30_000;

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
/** Values of the latest refresh: dead letters or generations may have changed when these change. */
let refreshKey = "";
let refreshedAt = 0;

const refresh = async ({ status, building }) => {
  const key = JSON.stringify([
    status?.tally.rejected,
    status?.counts?.deadLetters,
    status?.generation,
    building?.phase,
  ]);
  if (key === refreshKey && Date.now() - refreshedAt < refreshIntervalMs) return;
  refreshKey = key;
  refreshedAt = Date.now();
  const succeeded = await Promise.all([loadLetters(), loadGenerations()]);
  // Retries with the next status message.
  if (succeeded.includes(false)) refreshedAt = 0;
};

const showConnection = (text, isGone) => {
  const element = at("link");
  say(element, text);
  element.dataset.gone = String(isGone);
};

listen({
  history(message) {
    samples = message.samples;
    // The service may have restarted.
    refreshedAt = 0;
  },
  status(message) {
    const { at: time, state, status, lagSeconds } = message;
    const eventsPerSecond = state === "silent" ? 0 : (status?.eventsPerSecond ?? 0);
    const sample = { at: time, state, lagSeconds, eventsPerSecond };
    samples = [...samples.filter(({ at }) => at > time - historyMs && at < time), sample];
    showConnection(`Connected, ${timeOf(time)}`, false);
    showState(message);
    showWork(message);
    drawLag(samples, message.maxLag);
    drawRate(samples);
    void refresh(message);
  },
  gone(receivedAt) {
    showConnection(`No answer since ${timeOf(receivedAt)}, trying again`, true);
    showGone(receivedAt);
  },
});
loadExplain();
