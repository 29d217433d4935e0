import { once } from "node:events";
import { VitrineError } from "../../errors.ts";
import type { DataAge } from "../../http/send.ts";
import { buildId } from "../../package-info.ts";
import type {
  AgeMessage,
  ErrorPayload,
  Role,
  StartMessage,
  SupervisorMessage,
  WorkerMessage,
} from "./messages.ts";

export const toErrorPayload = ({ code, message, hint }: VitrineError): ErrorPayload => ({
  code,
  message,
  hint,
});

export const fromErrorPayload = ({ code, message, hint }: ErrorPayload): VitrineError =>
  new VitrineError(code, message, hint);

/** Sends a message to the supervisor. Drops it when the supervisor is gone. */
export const sendToSupervisor = (message: WorkerMessage): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

export const onSupervisorMessage = <K extends SupervisorMessage["kind"]>(
  kind: K,
  handle: (message: SupervisorMessage & { readonly kind: K }) => void,
): void => {
  process.on("message", (message: SupervisorMessage) => {
    if (isOfKind(message, kind)) handle(message);
  });
};

const isOfKind = <K extends SupervisorMessage["kind"]>(
  message: SupervisorMessage,
  kind: K,
): message is SupervisorMessage & { readonly kind: K } => message.kind === kind;

/**
 * Requests the start message of this process.
 * @returns undefined when shutdown comes first
 */
export const receiveStart = async <R extends Role>(
  signal: AbortSignal,
): Promise<StartMessage<R> | undefined> => {
  const reply: Promise<readonly StartMessage<R>[]> = once(process, "message", { signal });
  sendToSupervisor({ kind: "hello", build: buildId });
  const [message] = await reply.catch(() => []);
  return message;
};

/** After this time without a message the age grows with the silence. */
const silentAfterMs = 3_000;

/** Tracks the data age. @param now monotonic clock in milliseconds */
export const createAgeTracker = (now: () => number) => {
  let latest: { readonly seconds: number; readonly at: number } | undefined;
  return {
    receive: ({ seconds }: AgeMessage): void => {
      latest = { seconds, at: now() };
    },
    age(): number | undefined {
      if (!latest) return undefined;
      const silence = now() - latest.at;
      return latest.seconds + (silence > silentAfterMs ? silence / 1_000 : 0);
    },
  };
};

export const ageFromSupervisor = (): DataAge => {
  const { receive, age } = createAgeTracker(() => performance.now());
  onSupervisorMessage("age", receive);
  return age;
};
