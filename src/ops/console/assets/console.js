import { chart } from "./chart.js";
import { loadDeadLetters } from "./dead-letters.js";
import { byId, setText } from "./dom.js";
import { listen } from "./event-source.js";
import { loadExplain } from "./explain.js";
import { formatDuration, formatNumber, formatTime } from "./format.js";
import { loadGenerations } from "./generations.js";
import { showGone, showState, showWork } from "./state.js";

/** Period of the samples that the service sends. */
const historyMs = 600_000;
/** Interval for data that the event stream does not contain. */
const refreshIntervalMs = 30_000;

const drawLag = chart(byId("chart-lag"), {
  name: "Lag",
  value: ({ lagSeconds }) => lagSeconds,
  show: formatDuration,
  tick: (seconds) => (seconds >= 120 ? `${Math.round(seconds / 60)} min` : `${seconds} s`),
  minTop: 5,
});
const drawRate = chart(byId("chart-rate"), {
  name: "Throughput",
  value: ({ eventsPerSecond }) => eventsPerSecond,
  show: (events) => `${formatNumber(events)} events/s`,
  tick: formatNumber,
  minTop: 10,
});

let samples = [];
/** Status values at the latest refresh. When they change, dead letters or generations may have changed. */
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
  const succeeded = await Promise.all([loadDeadLetters(), loadGenerations()]);
  // The next status message retries.
  if (succeeded.includes(false)) refreshedAt = 0;
};

const showConnection = (text, isGone) => {
  const element = byId("connection");
  setText(element, text);
  element.dataset.gone = String(isGone);
};

listen({
  history(message) {
    samples = message.samples;
    // The service may have restarted with other data.
    refreshedAt = 0;
  },
  status(message) {
    const { at: time, state, status, lagSeconds } = message;
    const eventsPerSecond = state === "silent" ? 0 : (status?.eventsPerSecond ?? 0);
    const sample = { at: time, state, lagSeconds, eventsPerSecond };
    samples = [...samples.filter(({ at }) => at > time - historyMs && at < time), sample];
    showConnection(`Connected, ${formatTime(time)}`, false);
    showState(message);
    showWork(message);
    drawLag(samples, message.maxLag);
    drawRate(samples);
    void refresh(message);
  },
  gone(receivedAt) {
    showConnection(`No answer since ${formatTime(receivedAt)}, trying again`, true);
    showGone(receivedAt);
  },
});
loadExplain();
