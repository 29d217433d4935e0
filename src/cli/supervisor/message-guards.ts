import { isErrorCode } from "../../errors.ts";
import { hasMembers, isObject } from "../../platform/json-file.ts";
import type {
  CommonMessage,
  Role,
  StartMessage,
  SupervisorMessage,
  WorkerMessage,
} from "./messages.ts";

/** Checks the members of each kind of message. */
type Guards<M extends { readonly kind: string }> = {
  readonly [K in M["kind"]]: (message: object) => boolean;
};

const isAny = (): boolean => true;

const isError = (message: object): boolean =>
  hasMembers(message, { code: "string", message: "string", hint: "string" }) &&
  isErrorCode(message.code);

const commonGuards: Guards<CommonMessage> = {
  hello: isAny,
  metrics: (message) => hasMembers(message, { metrics: "object" }),
  fatal: isError,
};

const workerGuards: { readonly [R in Role]: Guards<WorkerMessage<R>> } = {
  projector: {
    ...commonGuards,
    status: (message) => hasMembers(message, { status: "object" }),
  },
  http: {
    ...commonGuards,
    listening: isAny,
    serving: (message) => "generation" in message,
    count: (message) => "clients" in message && Array.isArray(message.clients),
  },
  query: {
    ...commonGuards,
    listening: isAny,
    answer: (message) => hasMembers(message, { id: "number" }),
    queryError: (message) => hasMembers(message, { id: "number" }) && isError(message),
  },
};

const supervisorGuards: Guards<SupervisorMessage> = {
  counted: (message) => "counts" in message && Array.isArray(message.counts),
  age: (message) => hasMembers(message, { seconds: "number" }),
  query: (message) => hasMembers(message, { id: "number", query: "object" }),
};

const passes = (guards: Partial<Guards<{ readonly kind: string }>>, message: unknown): boolean =>
  isObject(message) &&
  typeof message.kind === "string" &&
  Object.hasOwn(guards, message.kind) &&
  guards[message.kind]?.(message) === true;

/** Checks a message that a process of a role sent. */
export const isWorkerMessage = <R extends Role>(
  role: R,
  message: unknown,
): message is WorkerMessage<R> => passes(workerGuards[role], message);

export const isStartMessage = <R extends Role>(message: unknown): message is StartMessage<R> =>
  hasMembers(message, { name: "string", config: "object" });

/** Checks a message of one kind that the supervisor sent. */
export const isSupervisorMessage = <K extends SupervisorMessage["kind"]>(
  kind: K,
  message: unknown,
): message is SupervisorMessage & { readonly kind: K } =>
  isObject(message) && message.kind === kind && passes(supervisorGuards, message);
