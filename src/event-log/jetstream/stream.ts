import {
  DiscardPolicy,
  type JetStreamManager,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from "nats";
import { VitrineError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { LogBounds, LogIdentity, LogRecord } from "../event-log.ts";
import type { Broker } from "./connection.ts";
import { jetStreamErrorCode } from "./errors.ts";
import { lowerCasedHeaders } from "./headers.ts";

export interface Stream {
  readonly broker: Broker;
  readonly name: string;
  /** `nats://host:port stream NAME`, for people. */
  readonly address: string;
  /** Times in milliseconds. */
  readonly timing: {
    /** Silence of a read after which the stream's state is requested. */
    readonly idleTimeoutMs: number;
    /** How long an append, or a read that does not follow, waits for an unavailable broker. */
    readonly unavailableTimeoutMs: number;
  };
  /** Receives every loss and every failed attempt of a read. */
  readonly log: Logger | undefined;
}

export interface StreamState {
  readonly identity: LogIdentity;
  readonly bounds: LogBounds;
  /** True when the stream drops an event for newer ones of its subject: its sequences then have holes. */
  readonly hasHoles: boolean;
  /** True when the stream keeps only the latest message of each subject. */
  readonly keepsLastPerSubject: boolean;
  /** Maximum size of a message in bytes, headers included; undefined when the stream has no limit of its own. */
  readonly maxMessageBytes: number | undefined;
  readonly config: StreamConfig;
}

const duplicateWindow = nanos(10 * 60 * 1000);

/**
 * Reads the state of the stream.
 * @throws VitrineError event_log
 */
export async function getStreamState(stream: Stream): Promise<StreamState> {
  try {
    const info = await requestJetStream(stream, (api) => api.streams.info(stream.name));
    assertLimitsRetention(stream, info);
    assertLeader(stream, info);
    return toStreamState(info);
  } catch (thrown) {
    throw isStreamNotFound(thrown) ? streamNotFoundError(stream, thrown) : thrown;
  }
}

/** Creates a missing stream; an existing one is used as it is. */
export async function ensureStream(stream: Stream, subjects: readonly string[]): Promise<void> {
  try {
    await getStreamState(stream);
  } catch (thrown) {
    if (!isStreamNotFound(thrown)) throw thrown;
    await requestJetStream(stream, (api) =>
      api.streams.add(buildStreamConfig(stream.name, subjects)),
    );
  }
}

/**
 * Reads the record at a sequence from the stream's leader, not from a replica.
 * @returns undefined when there is none
 */
export async function getRecord(stream: Stream, seq: number): Promise<LogRecord | undefined> {
  return Number.isSafeInteger(seq) && seq >= 1 ? fetchRecord(stream, { seq }) : undefined;
}

/**
 * Reads the latest record of a subject in a stream that keeps one per subject. In any other stream an older record
 * would be the latest after a deletion.
 * @returns undefined in any other stream, and when the subject has no record
 */
export async function latestOfSubject(
  stream: Stream,
  subject: string,
): Promise<LogRecord | undefined> {
  const { keepsLastPerSubject } = await getStreamState(stream);
  return keepsLastPerSubject ? fetchRecord(stream, { last_by_subj: subject }) : undefined;
}

async function fetchRecord(
  stream: Stream,
  query: { readonly seq: number } | { readonly last_by_subj: string },
): Promise<LogRecord | undefined> {
  try {
    const message = await requestJetStream(stream, (api) =>
      api.streams.getMessage(stream.name, query),
    );
    return {
      sequence: message.seq,
      time: Date.parse(message.timestamp),
      subject: message.subject,
      headers: lowerCasedHeaders(message.header),
      body: message.data,
    };
  } catch (thrown) {
    if (jetStreamErrorCode(thrown) === messageNotFoundCode) return undefined;
    throw isStreamNotFound(thrown) ? streamNotFoundError(stream, thrown) : thrown;
  }
}

/** Returns true when the broker is available and the stream does not exist. */
export const isStreamNotFound = (thrown: unknown): boolean =>
  jetStreamErrorCode(thrown) === streamNotFoundCode;

/** Sends JetStream API requests without account requests, because the broker may allow this stream only. */
export const requestJetStream = <T>(
  { broker }: Stream,
  send: (api: JetStreamManager) => Promise<T>,
): Promise<T> =>
  broker.request(async (connection) =>
    send(await connection.jetstreamManager({ checkAPI: false })),
  );

/**
 * Asserts the retention `limits`, because a model is rebuilt from all events: a stream that deletes read events is no
 * log.
 */
function assertLimitsRetention({ address }: Stream, { config: { retention } }: StreamInfo): void {
  if (retention === RetentionPolicy.Limits) return;
  throw new VitrineError(
    "event_log",
    `${address} deletes what was read: its retention is ${retention}`,
    "create the stream with the retention `limits`, or mirror it into such a stream and name that one",
  );
}

/**
 * Asserts that the brokers of a cluster have elected a leader of the stream. Without one, a broker reports the end of its
 * own copy, which may be behind. nats-server 2.9 notices a lost majority after up to 20 seconds.
 */
function assertLeader({ address }: Stream, { cluster }: StreamInfo): void {
  if (cluster === undefined || cluster.leader) return;
  throw new VitrineError(
    "event_log",
    `${address}: the stream has no leader`,
    "start the brokers that are down; a majority of them elects a leader",
  );
}

function toStreamState({ config, created, state }: StreamInfo): StreamState {
  const { first_seq, last_seq, messages } = state;
  const first = messages === 0 ? last_seq + 1 : first_seq;
  const hasHoles = config.max_msgs_per_subject >= 1;
  const isUnlimited = config.max_age === 0 && config.max_msgs < 0 && config.max_bytes < 0;
  return {
    identity: { name: config.name, created },
    bounds: {
      first,
      last: last_seq,
      isComplete: first <= getFirstSequence(config) || (hasHoles && isUnlimited),
    },
    hasHoles,
    keepsLastPerSubject: config.max_msgs_per_subject === 1,
    maxMessageBytes: config.max_msg_size > 0 ? config.max_msg_size : undefined,
    config,
  };
}

/**
 * Returns the configured first sequence: a stream that was moved to another broker may continue its sequences
 * (nats-server 2.10).
 */
const getFirstSequence = ({ first_seq: first = 1 }: StreamConfig): number => Math.max(1, first);

/**
 * Builds the configuration of a new stream. Deleting and purging stay allowed, because a shop owner must be able to
 * remove an event published by mistake; the continuity check detects it.
 */
const buildStreamConfig = (name: string, subjects: readonly string[]): Partial<StreamConfig> => ({
  name,
  subjects: [...subjects],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.New,
  duplicate_window: duplicateWindow,
  allow_direct: true,
  num_replicas: 1,
});

const streamNotFoundCode = 10059;
const messageNotFoundCode = 10037;

const streamNotFoundError = ({ address, name }: Stream, thrown: unknown): VitrineError =>
  new VitrineError(
    "event_log",
    `${address}: unknown stream`,
    `publish to it first, or name the right one with --nats-stream instead of ${name}`,
    thrown instanceof VitrineError ? thrown.cause : thrown,
  );
