import { suite } from "uvu";
import * as assert from "uvu/assert";
import { exitCodeByErrorCode, VitrineError } from "../../src/errors.ts";
import type { Divergence } from "../../src/projector/continuity/continuity.ts";
import type { Generation } from "../../src/projector/open-generation.ts";
import {
  type ActiveState,
  describeState,
  type Outcome,
  type State,
  toOutcome,
  transition,
} from "../../src/projector/state.ts";

const test = suite("states of the projector");

// The transitions read nothing of a generation.
const generation = { name: "0001" } as Generation;
const candidate = { name: "0002" } as Generation;
const divergence: Divergence = { kind: "shorter", reason: "it is shorter", isLogComplete: true };
const outdated: Divergence = { ...divergence, kind: "outdated" };
const incomplete: Divergence = { ...divergence, isLogComplete: false };
const cause: Divergence = { ...divergence, kind: "trimmed" };
const error = new VitrineError("projection", "it failed", "mend it");
const refusal = { cause, reason: "too few", logEnd: 7, read: undefined } as const;

type Name = ActiveState["name"];

/** One state of each name. */
const states: { readonly [N in Name]: Extract<ActiveState, { readonly name: N }> } = {
  following: { name: "following", generation },
  waiting: { name: "waiting", generation, error },
  rebuilding: { name: "rebuilding", generation, cause },
  faulted: { name: "faulted", generation, fault: { kind: "storage", error } },
};

/** One outcome of each kind. */
const outcomes: { readonly [K in Outcome["kind"]]: Extract<Outcome, { readonly kind: K }> } = {
  stopped: { kind: "stopped" },
  request_pending: { kind: "request_pending" },
  retry_due: { kind: "retry_due" },
  log_unavailable: { kind: "log_unavailable", error },
  log_changed: { kind: "log_changed", error },
  superseded: { kind: "superseded", error },
  failed: { kind: "failed", error },
  diverged: { kind: "diverged", divergence, stage: "live" },
  replayed: { kind: "replayed", generation: candidate },
  rebuild_refused: { kind: "rebuild_refused", ...refusal },
};

const following = states.following;
const waiting = states.waiting;
const rebuilding: State = { name: "rebuilding", generation, cause: divergence };
const ended: State = { name: "ended", generation, error: undefined };
const failed: State = { name: "ended", generation, error };
const replayed: State = { name: "following", generation: candidate };
const storage = states.faulted;
const faulted = (after: Divergence | undefined): State => ({
  name: "faulted",
  generation,
  fault: { kind: "projection", error, cause: after },
});
const refused: State = {
  name: "faulted",
  generation,
  fault: { kind: "rebuild_refused", ...refusal },
};

/** The next state after each outcome in each state, when the policy is to rebuild. A pair without a row does not compile. */
const expected: Record<Name, Record<Outcome["kind"], State>> = {
  following: {
    stopped: ended,
    request_pending: following,
    retry_due: following,
    log_unavailable: waiting,
    log_changed: storage,
    superseded: failed,
    failed: faulted(undefined),
    diverged: rebuilding,
    replayed,
    rebuild_refused: refused,
  },
  waiting: {
    stopped: ended,
    request_pending: following,
    retry_due: following,
    log_unavailable: waiting,
    log_changed: storage,
    superseded: failed,
    failed: faulted(undefined),
    diverged: rebuilding,
    replayed,
    rebuild_refused: refused,
  },
  rebuilding: {
    stopped: ended,
    request_pending: following,
    retry_due: following,
    log_unavailable: waiting,
    log_changed: waiting,
    superseded: failed,
    failed: faulted(cause),
    diverged: rebuilding,
    replayed,
    rebuild_refused: refused,
  },
  faulted: {
    stopped: ended,
    request_pending: following,
    retry_due: following,
    log_unavailable: waiting,
    log_changed: storage,
    superseded: failed,
    failed: faulted(undefined),
    diverged: rebuilding,
    replayed,
    rebuild_refused: refused,
  },
};

for (const state of Object.values(states)) {
  for (const outcome of Object.values(outcomes)) {
    test(`${outcome.kind} while ${state.name} leads to one state, without an effect`, () => {
      assert.equal(transition(state, outcome, "rebuild"), {
        state: expected[state.name][outcome.kind],
      });
    });
  }
}

const diverged = (found: Divergence, stage: "empty" | "first_replay" | "live"): Outcome => ({
  kind: "diverged",
  divergence: found,
  stage,
});
const faultedBy = (found: Divergence, obstacle: "stop" | "incomplete_log"): State => ({
  name: "faulted",
  generation,
  fault: { kind: "diverged", divergence: found, obstacle },
});
const restart = {
  state: following,
  effect: { kind: "restart_first_replay", reason: divergence.reason },
};

test("a log of which nothing was applied is followed from its beginning, after a pause", () => {
  for (const policy of ["rebuild", "stop"] as const) {
    for (const found of [divergence, incomplete, outdated]) {
      assert.equal(transition(following, diverged(found, "empty"), policy), {
        state: following,
        effect: { kind: "pause" },
      });
    }
  }
});

test("a first replay begins again on another log when the policy allows it, however much of its history the log holds", () => {
  for (const found of [divergence, incomplete])
    assert.equal(transition(following, diverged(found, "first_replay"), "rebuild"), restart);
  assert.equal(transition(following, diverged(divergence, "first_replay"), "stop"), {
    state: faultedBy(divergence, "stop"),
  });
});

test("a first replay of other projections begins again under any policy", () => {
  for (const policy of ["rebuild", "stop"] as const)
    assert.equal(transition(following, diverged(outdated, "first_replay"), policy), restart);
});

test("a live model is rebuilt from a complete log only, and only when the policy allows it", () => {
  for (const found of [divergence, outdated]) {
    assert.equal(transition(following, diverged(found, "live"), "rebuild"), {
      state: { name: "rebuilding", generation, cause: found },
    });
  }
  assert.equal(transition(following, diverged(incomplete, "live"), "rebuild"), {
    state: faultedBy(incomplete, "incomplete_log"),
  });
  for (const found of [divergence, incomplete, outdated]) {
    assert.equal(transition(following, diverged(found, "live"), "stop"), {
      state: faultedBy(found, "stop"),
    });
  }
});

test("each error leads to the state that its code names", () => {
  const shown = Object.keys(exitCodeByErrorCode).map((code) => {
    const thrown = new VitrineError(code as keyof typeof exitCodeByErrorCode, "it failed");
    const { state } = transition(following, toOutcome(thrown), "rebuild");
    return `${code}: ${state.name === "faulted" ? state.fault.kind : state.name}`;
  });
  assert.equal(shown, [
    "usage: unexpected",
    "invalid_events: unexpected",
    "unknown: unexpected",
    "data_dir: storage",
    "locked: storage",
    "not_writable: storage",
    "disk_full: storage",
    "no_model: storage",
    "outdated: unexpected",
    "model_damaged: model_damaged",
    "log_damaged: log_damaged",
    "operator_state_damaged: unexpected",
    "backup_damaged: unexpected",
    "comparison_unavailable: storage",
    "unanswered: unexpected",
    "reopen: ended",
    "event_log: waiting",
    "divergence: storage",
    "projection: projection",
    "listen: unexpected",
    "internal: unexpected",
  ]);
});

test("the status shows a state with its reason and the remedy", () => {
  assert.is(describeState(following), undefined);
  assert.equal(describeState(waiting), { state: "waiting", reason: "it failed; mend it" });
  assert.equal(describeState(states.rebuilding), {
    state: "rebuilding",
    reason: "it is shorter",
  });
  const reasonOf = (state: State): string =>
    state.name === "ended" ? "" : (describeState(state)?.reason ?? "");
  assert.is(reasonOf(storage), "it failed; mend it");
  assert.match(
    reasonOf(faultedBy(divergence, "stop")),
    /^it is shorter; start with --on-divergence/,
  );
  assert.match(
    reasonOf(faultedBy(incomplete, "incomplete_log")),
    "no longer holds the whole history",
  );
  assert.match(
    reasonOf(refused),
    /^it is shorter; too few, so the projector waits: .* --accept-loss$/,
  );
});

test.run();
