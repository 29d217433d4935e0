import {
  DiscardPolicy,
  type JetStreamManager,
  type NatsConnection,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from "nats";
import { VitrineError } from "../../errors.ts";
import type { LogBounds, LogIdentity, LogRecord } from "../event-log.ts";
import type { Broker } from "./connection.ts";
import { errorNumber } from "./errors.ts";
import { lowerCasedHeaders } from "./headers.ts";

/** One stream on one broker. */
export interface Stream {
  readonly broker: Broker;
  readonly name: string;
  /** `nats://host:port stream NAME`, for people. */
  readonly address: string;
}

/** What a stream says of itself at one moment. */
export interface StreamState {
  readonly identity: LogIdentity;
  readonly bounds: LogBounds;
  /** True when it drops an event for newer ones of the same subject: holes are then its nature. */
  readonly hasHoles: boolean;
  /** True when it keeps no more than the newest of each. */
  readonly isOnePerSubject: boolean;
  /** Bytes of the largest message that it takes, its headers among them; undefined where it has no limit of its own. */
  readonly largest: number | undefined;
}

const duplicateWindow = nanos(10 * 60 * 1000);

/** @throws VitrineError event_log */
export async function stateOf(stream: Stream): Promise<StreamState> {
  try {
    const info = await askJetStream(stream, (api) => api.streams.info(stream.name));
    assertLimitsRetention(stream, info);
    return toStreamState(info);
  } catch (thrown) {
    throw isUnknownStream(thrown) ? streamNotFoundError(stream, thrown) : thrown;
  }
}

/** Makes the stream unless it is there; one that is there is used as it is. */
export async function ensureStream(stream: Stream, subjects: readonly string[]): Promise<void> {
  try {
    await stateOf(stream);
  } catch (thrown) {
    if (!isUnknownStream(thrown)) throw thrown;
    await askJetStream(stream, (api) => api.streams.add(buildStreamConfig(stream.name, subjects)));
  }
}

/** The event at a sequence, or undefined. Asks the stream's leader, not a copy. */
export async function messageAt(stream: Stream, seq: number): Promise<LogRecord | undefined> {
  return Number.isSafeInteger(seq) && seq >= 1 ? fetchRecord(stream, { seq }) : undefined;
}

/** The newest of a subject, where the stream keeps no more than one of each: else one before it stays when it is deleted. */
export async function newestOf(stream: Stream, subject: string): Promise<LogRecord | undefined> {
  const { isOnePerSubject } = await stateOf(stream);
  return isOnePerSubject ? fetchRecord(stream, { last_by_subj: subject }) : undefined;
}

async function fetchRecord(
  stream: Stream,
  query: { readonly seq: number } | { readonly last_by_subj: string },
): Promise<LogRecord | undefined> {
  try {
    const message = await askJetStream(stream, (api) => api.streams.getMessage(stream.name, query));
    return {
      sequence: message.seq,
      time: Date.parse(message.timestamp),
      subject: message.subject,
      headers: lowerCasedHeaders(message.header),
      body: message.data,
    };
  } catch (thrown) {
    if (errorNumber(thrown) === messageNotFoundCode) return undefined;
    throw isUnknownStream(thrown) ? streamNotFoundError(stream, thrown) : thrown;
  }
}

/** True when the stream itself is not there, while the broker is. */
export const isUnknownStream = (thrown: unknown): boolean =>
  errorNumber(thrown) === streamNotFoundCode;

/** Questions for a broker that may allow no more than this stream: nothing is asked of the account. */
export const askJetStream = <T>(
  { broker }: Stream,
  send: (api: JetStreamManager) => Promise<T>,
): Promise<T> => broker.ask(async (connection) => send(await getApi(connection)));

const getApi = (connection: NatsConnection): Promise<JetStreamManager> =>
  connection.jetstreamManager({ checkAPI: false });

/** A model is made anew of all that was ever told: a stream that forgets what was read is no log. */
function assertLimitsRetention({ address }: Stream, { config: { retention } }: StreamInfo): void {
  if (retention === RetentionPolicy.Limits) return;
  throw new VitrineError(
    "event_log",
    `${address} deletes what was read: its retention is ${retention}`,
    "make it with the retention `limits`, or mirror it into a stream that has it, and name that",
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
      whole: first <= getFirstSequence(config) || (hasHoles && isUnlimited),
    },
    hasHoles,
    isOnePerSubject: config.max_msgs_per_subject === 1,
    largest: config.max_msg_size > 0 ? config.max_msg_size : undefined,
  };
}

/** Where it began: shops that move a stream to another broker may let it go on counting (nats-server 2.10). */
const getFirstSequence = ({ first_seq: first = 1 }: StreamConfig): number => Math.max(1, first);

/**
 * Deleting and purging stay allowed: a shop owner must be able to remove what should never have been
 * published, and the checkpoint finds out.
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

/** JetStream's own error numbers. */
const streamNotFoundCode = 10059;
const messageNotFoundCode = 10037;

const streamNotFoundError = ({ address, name }: Stream, thrown: unknown): VitrineError =>
  new VitrineError(
    "event_log",
    `${address}: unknown stream`,
    `publish to it first, or name the right one with --nats-stream instead of ${name}`,
    thrown instanceof VitrineError ? thrown.cause : thrown,
  );
