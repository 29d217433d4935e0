import { at, make, say } from "./page.js";
import { count, counted, duration, secondsSince, timeOf } from "./words.js";

/** Selects the page's colour: ok, busy, warn, bad. Texts say the same, for users who see no colours. */
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
  say(at("foot-data"), `Data directory ${opsStatus.dataDir}`);
};

/** Shows that the service does not answer. The rest of the page keeps its latest data. */
export const showGone = (receivedAt) => {
  const sentence = `The service has not been heard since ${timeOf(receivedAt)}. What is shown below is from then. This page goes on trying.`;
  showHeadline("No answer", sentence, "bad", []);
};

const showHeadline = (word, sentence, tone, reasons) => {
  const announcement = at("announcement");
  if (at("state-word").textContent !== word) announcement.textContent = `${word}. ${sentence}`;
  say(at("state-word"), word);
  say(at("state-sentence"), sentence);
  document.title = `${word} · Vitrine`;
  document.body.dataset.tone = tone;
  const list = at("state-reasons");
  list.hidden = reasons.length === 0;
  const shown = [...list.children].map((item) => item.textContent);
  if (shown.join("\n") === reasons.join("\n")) return;
  list.replaceChildren(...reasons.map((reason) => make("li", {}, reason)));
};

const formatSentence = ({ state, reason, status, silence }) => {
  const since = status ? ` ${capitalise(state)} for ${duration(secondsSince(status.since))}.` : "";
  if (state === "silent") {
    const why = reason ? `: ${reason}` : "";
    return `The projector has not been heard for ${duration(silence)}${why}. Reads go on.`;
  }
  if (reason) return `${capitalise(reason)}.${since}`;
  if (!status) return "The projector has not reported yet.";
  if (status.lagEvents > 0) {
    return `${counted(status.lagEvents, "event")} of the log to apply; reads go on.${since}`;
  }
  if (state === "live") return `Every event of the log is applied.${since}`;
  return `The log is being reached.${since}`;
};

const showFigures = ({ status, lagSeconds, maxLag }) => {
  say(at("figure-lag"), duration(lagSeconds));
  at("figure-lag").dataset.tone = lagSeconds >= maxLag ? "bad" : "";
  if (!status) return;
  say(at("figure-lag-more"), counted(status.lagEvents, "event"));
  say(at("figure-checkpoint"), count(status.checkpoint));
  say(at("figure-checkpoint-more"), `of ${count(status.logLast)} in the log`);
  say(at("figure-rate"), count(status.eventsPerSecond));
  showDeadLetterCount(status.counts?.deadLetters ?? 0);
  say(
    at("figure-letters-more"),
    `${count(status.tally.stale)} stale, ${count(status.tally.applied)} applied`,
  );
};

const showDeadLetterCount = (deadLetters) => {
  say(at("figure-letters"), count(deadLetters));
  at("figure-letters").dataset.tone = deadLetters > 0 ? "warn" : "";
};

/** Shows the progress of a replay by the projector or a command; hides it when there is none. */
export const showWork = ({ state, status, building }) => {
  const isProjectorReplay = state === "replaying" || state === "rebuilding";
  const work = building ?? (isProjectorReplay && status ? toWork(state, status) : undefined);
  at("work").hidden = work === undefined;
  if (!work) return;
  say(at("work-title"), `${capitalise(work.doing)} under way: ${work.phase}`);
  const bar = at("work-bar");
  bar.max = Math.max(1, work.of);
  bar.value = work.at;
  const share = Math.floor((100 * work.at) / Math.max(1, work.of));
  const eta = work.etaSeconds === null ? "" : `, about ${duration(work.etaSeconds)} left`;
  say(
    at("work-told"),
    `${share} %, event ${count(work.at)} of ${count(work.of)}, ${count(work.eventsPerSecond)} a second${eta}`,
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
