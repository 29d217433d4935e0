import type { CurrentReader, Reader } from "../../read-model/reader/reader.ts";

/** Milliseconds. A turn in which a thousand connections have something to say may be long. */
const maxAgeMs = 1;

/**
 * The generation that answers, looked up once for all requests that are read in one turn of the event loop, and held
 * at its newest commit that long: both looks cost as much as a kept answer does.
 *
 * Nothing older is shown than if each request looked for itself. What a turn reads had begun to arrive before the turn
 * began, as it was then that the kernel told which connections to read. So whoever saw a newer answer or
 * commit elsewhere before sending a request, saw it before this look. That holds only where requests are read, which
 * is why nobody else may ask here: a look in a timer would last until what arrived after it.
 * @returns asked with the time on the clock of `performance`
 */
export const oncePerTurn = (current: CurrentReader) => {
  let isLoaded = false;
  let loadedAt = 0;
  let reader: Reader | undefined;
  let release: (() => void) | undefined;
  const end = (): void => {
    release?.();
    release = reader = undefined;
    isLoaded = false;
  };
  return (now: number): Reader | undefined => {
    if (isLoaded && now - loadedAt < maxAgeMs) return reader;
    release?.();
    // Runs before anything else is read.
    if (!isLoaded) setImmediate(end);
    isLoaded = true;
    loadedAt = now;
    reader = current();
    release = reader?.hold?.();
    return reader;
  };
};
