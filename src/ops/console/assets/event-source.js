/** Time without a message after which the page reopens the stream. The service sends a status every second. */
const maxSilenceMs = 5_000;
const checkIntervalMs = 1_000;

/**
 * Listens to the service's event stream. Reopens it when it ends, fails or sends nothing for `maxSilenceMs`.
 * @param listener callbacks: `history` with the last minutes, `status` every second, `gone` while no message arrives
 */
export const listen = ({ history, status, gone }) => {
  let source;
  let receivedAt = Date.now();
  let openedAt = 0;
  const onMessage = (callback) => (message) => {
    receivedAt = Date.now();
    callback(JSON.parse(message.data));
  };
  const open = () => {
    source?.close();
    openedAt = Date.now();
    source = new EventSource("/events");
    source.addEventListener("history", onMessage(history));
    source.addEventListener("status", onMessage(status));
    source.addEventListener("error", () => gone(receivedAt));
  };
  const check = () => {
    const isSilent = Date.now() - Math.max(receivedAt, openedAt) > maxSilenceMs;
    if (source.readyState === EventSource.CLOSED || isSilent) {
      gone(receivedAt);
      open();
    }
  };
  open();
  setInterval(check, checkIntervalMs);
};
