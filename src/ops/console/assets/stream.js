/** A stream that is open but says nothing for this long is as good as gone; it speaks every second. Milliseconds. */
const longestSilence = 5_000;
const pause = 1_000;

/**
 * Listens to the service for ever: a stream that ended, failed or fell silent is opened again.
 * @param listener `history` is told the last minutes, `status` every second, `gone` while nothing is heard
 */
export const listen = ({ history, status, gone }) => {
  let source;
  let heard = Date.now();
  let opened = 0;
  const hear = (tell) => (message) => {
    heard = Date.now();
    tell(JSON.parse(message.data));
  };
  const open = () => {
    source?.close();
    opened = Date.now();
    source = new EventSource("/events");
    source.addEventListener("history", hear(history));
    source.addEventListener("status", hear(status));
    source.addEventListener("error", () => gone(heard));
  };
  const look = () => {
    const isSilent = Date.now() - Math.max(heard, opened) > longestSilence;
    if (source.readyState === EventSource.CLOSED || isSilent) {
      gone(heard);
      open();
    }
  };
  open();
  setInterval(look, pause);
};
