import { join } from "node:path";
import type { NatsCredentials } from "../config.ts";
import { VitrineError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { EventLog } from "./event-log.ts";
import { parseBrokerAddress } from "./jetstream/broker-address.ts";
import { openJournal } from "./journal/index.ts";

interface EventLogOptions {
  /** Parent of the directory of `journal:`, which is `<dataDir>/journal`. */
  readonly dataDir: string;
  /** Clock for the times of journal records, in milliseconds since 1970. */
  readonly now: () => number;
  /** Opens for reading: creates nothing, and a journal rejects appends. */
  readonly readOnly?: boolean;
  /** Name of the stream on a broker, `SHOP` by default. */
  readonly stream?: string;
  readonly nats?: NatsCredentials;
  readonly log?: Logger;
  /** Aborts the first attempt to connect to a broker. */
  readonly signal?: AbortSignal;
}

/**
 * Resolves the directory of a journal address.
 * @returns undefined for a log that is no journal
 */
export const resolveJournalDirectory = (address: string, dataDir: string): string | undefined =>
  address.startsWith("journal:")
    ? address.slice("journal:".length) || join(dataDir, "journal")
    : undefined;

/**
 * Opens the log at `journal:`, `journal:/some/dir`, `nats://host:port` or `tls://host:port` (Contract §1).
 * @throws VitrineError `usage`; `event_log`; for a journal `data_dir`, `not_writable`, `log_damaged`
 */
export async function openEventLog(address: string, options: EventLogOptions): Promise<EventLog> {
  const readOnly = options.readOnly ?? false;
  const directory = resolveJournalDirectory(address, options.dataDir);
  if (directory !== undefined) {
    return openJournal({ directory, readOnly, now: options.now });
  }
  if (/^(nats|tls):\/\//.test(address)) {
    // Loaded on demand, because the broker's client takes a tenth of a second to load.
    const { openJetStream } = await import("./jetstream/index.ts");
    return openJetStream({
      url: address,
      stream: options.stream ?? "SHOP",
      subjects: ["shop.>"],
      createStream: !readOnly,
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

/** Removes user and password from a log's address. */
export const redactAddress = (events: string): string =>
  events.startsWith("journal:") ? events : parseBrokerAddress(events).redacted;
