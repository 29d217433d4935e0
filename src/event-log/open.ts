import { join } from "node:path";
import type { NatsCredentials } from "../config.ts";
import { VitrineError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { EventLog } from "./event-log.ts";
import { parseBrokerAddress } from "./jetstream/broker-address.ts";
import { openJournal } from "./journal/index.ts";

/** What an event log is opened with, whichever it is. */
export interface EventLogWorld {
  /** Where `journal:` without a directory lives, as `<dataDir>/journal`. */
  readonly dataDir: string;
  /** The clock a journal stamps records by, in milliseconds since 1970. */
  readonly now: () => number;
  /** Looks on only: nothing is made, nothing can be appended to a journal. */
  readonly readOnly?: boolean;
  /** For processes that stay: wait for a broker for ever instead of failing in seconds. */
  readonly waitForBroker?: boolean;
  /** Name of the stream on a broker, `SHOP` by default. */
  readonly stream?: string;
  readonly nats?: NatsCredentials;
  readonly log?: Logger;
  /** Gives up waiting for a broker. */
  readonly signal?: AbortSignal;
}

/** Where the journal of an address lives; undefined for a log that is none. */
export const journalDirectoryOf = (address: string, dataDir: string): string | undefined =>
  address.startsWith("journal:")
    ? address.slice("journal:".length) || join(dataDir, "journal")
    : undefined;

/**
 * Opens the log at `journal:`, `journal:/some/dir`, `nats://host:port` or `tls://host:port` (contract section 1).
 * @throws VitrineError `usage`; `event_log`; of a journal `data_dir`, `not_writable`, `log_damaged`
 */
export async function openEventLog(address: string, options: EventLogWorld): Promise<EventLog> {
  const readOnly = options.readOnly ?? false;
  const directory = journalDirectoryOf(address, options.dataDir);
  if (directory !== undefined) {
    return openJournal({ directory, readOnly, now: options.now });
  }
  if (/^(nats|tls):\/\//.test(address)) {
    // Loaded where it is needed only, because the broker's client takes a tenth of a second to load.
    const { openJetStream } = await import("./jetstream/index.ts");
    return openJetStream({
      url: address,
      stream: options.stream ?? "SHOP",
      subjects: ["shop.>"],
      createStream: !readOnly,
      waitForBroker: options.waitForBroker ?? false,
      settings: options.nats ?? {},
      ...(options.log && { log: options.log }),
      ...(options.signal && { signal: options.signal }),
    });
  }
  throw new VitrineError(
    "usage",
    `${address} is no event log`,
    "give journal: (inside the data directory), journal:/some/directory, nats://host:port or tls://host:port",
  );
}

/** Where a log is, without user and password. */
export const shownAddress = (events: string): string =>
  events.startsWith("journal:") ? events : parseBrokerAddress(events).shown;
