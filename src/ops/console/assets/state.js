import { byId, el, setText } from "./dom.js";
import { formatCount, formatDuration, formatNumber, formatTime, secondsSince } from "./format.js";

/** Selects the page's colour: ok, busy, warn, bad. Texts state the same, for users who do not see colours. */
export const toneOf = ({ state, ready }) => {
  if (state === "faulted" || state === "silent" || state === "stalled") return "bad";
  if (state === "live") return ready === false ? "warn" : "ok";
  if (state === "replaying" || state === "rebuilding") return ready === false ? "warn" : "busy";
  return "warn";
};

const capitalise = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** Shows the state as a headline, with its reason and four figures. */
export const showState = (opsStatus) => {
  const word = capitalise(opsStatus.state);
  const isUnready = opsStatus.state === "live" && !opsStatus.ready;
  const headline = isUnready ? `${word}, not ready` : word;
  showHeadline(headline, formatSentence(opsStatus), toneOf(opsStatus), opsStatus.reasons);
  showFigures(opsStatus);
  setText(byId("foot-data"), `Data directory ${opsStatus.dataDir}`);
};

/** Shows that the service does not answer. The other sections keep their latest data. */
export const showGone = (receivedAt) => {
  const sentence = `The service has not answered since ${formatTime(receivedAt)}. The data below is from that time. The page tries to reconnect.`;
  showHeadline("No answer", sentence, "bad", []);
};

const showHeadline = (headline, sentence, tone, reasons) => {
  const announcement = byId("announcement");
  if (byId("state-headline").textContent !== headline)
    announcement.textContent = `${headline}. ${sentence}`;
  setText(byId("state-headline"), headline);
  setText(byId("state-sentence"), sentence);
  document.title = `${headline} · Vitrine`;
  document.body.dataset.tone = tone;
  const list = byId("state-reasons");
  list.hidden = reasons.length === 0;
  const shown = [...list.children].map((item) => item.textContent);
  if (shown.join("\n") === reasons.join("\n")) return;
  list.replaceChildren(...reasons.map((reason) => el("li", {}, reason)));
};

const formatSentence = ({ state, reason, status, silence }) => {
  const since = status
    ? ` ${capitalise(state)} for ${formatDuration(secondsSince(status.since))}.`
    : "";
  if (state === "silent") {
    const why = reason ? `: ${reason}` : "";
    return `The projector has not reported for ${formatDuration(silence)}${why}. Reads go on.`;
  }
  if (reason) return `${capitalise(reason)}.${since}`;
  if (!status) return "The projector has not reported yet.";
  if (status.lagEvents > 0) {
    return `${formatCount(status.lagEvents, "event")} of the log to apply; reads go on.${since}`;
  }
  if (state === "live") return `Every event of the log is applied.${since}`;
  return `Connecting to the event log.${since}`;
};

const showFigures = ({ status, lagSeconds, maxLag }) => {
  setText(byId("figure-lag"), formatDuration(lagSeconds));
  byId("figure-lag").dataset.tone = lagSeconds >= maxLag ? "bad" : "";
  if (!status) return;
  setText(byId("figure-lag-more"), formatCount(status.lagEvents, "event"));
  setText(byId("figure-checkpoint"), formatNumber(status.checkpoint));
  setText(byId("figure-checkpoint-more"), `of ${formatNumber(status.logLast)} in the log`);
  setText(byId("figure-rate"), formatNumber(status.eventsPerSecond));
  showDeadLetterCount(status.counts?.deadLetters ?? 0);
  setText(
    byId("figure-dead-letters-more"),
    `${formatNumber(status.tally.stale)} stale, ${formatNumber(status.tally.applied)} applied`,
  );
};

const showDeadLetterCount = (deadLetters) => {
  setText(byId("figure-dead-letters"), formatNumber(deadLetters));
  byId("figure-dead-letters").dataset.tone = deadLetters > 0 ? "warn" : "";
};

/** Shows the progress of a replay by the projector or a command; hides it when there is none. */
export const showWork = ({ state, status, building }) => {
  const isProjectorReplay = state === "replaying" || state === "rebuilding";
  const work = building ?? (isProjectorReplay && status ? toWork(state, status) : undefined);
  byId("work").hidden = work === undefined;
  if (!work) return;
  setText(byId("work-title"), `${capitalise(work.doing)} in progress: ${work.phase}`);
  const bar = byId("work-bar");
  bar.max = Math.max(1, work.of);
  bar.value = work.at;
  const share = Math.floor((100 * work.at) / Math.max(1, work.of));
  const eta = work.etaSeconds === null ? "" : `, about ${formatDuration(work.etaSeconds)} left`;
  setText(
    byId("work-progress"),
    `${share} %, event ${formatNumber(work.at)} of ${formatNumber(work.of)}, ${formatNumber(work.eventsPerSecond)} events/s${eta}`,
  );
};

const toWork = (state, { checkpoint, logLast, eventsPerSecond }) => ({
  doing: state === "rebuilding" ? "rebuild" : "replay",
  phase: "replaying",
  at: checkpoint,
  of: logLast,
  eventsPerSecond,
  etaSeconds: eventsPerSecond > 0 ? (logLast - checkpoint) / eventsPerSecond : null,
});
