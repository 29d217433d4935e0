import type { BuildProgress } from "../../read-model/generations/build-progress.ts";
import type { DirectoryUsage } from "../../read-model/generations/disk-usage.ts";
import type { ProjectorHealth } from "../health/projector-monitor.ts";
import type { ReadinessInput } from "../health/readiness.ts";

export interface GaugeInput {
  readonly projector: ProjectorHealth;
  readonly http?: ReadinessInput["http"];
  readonly reasons: readonly string[];
  readonly usage: DirectoryUsage;
  readonly quarantined: readonly string[];
  /** Progress of a command that builds a candidate generation; undefined when none runs. */
  readonly building: BuildProgress | undefined;
}

interface GaugeDefinition {
  readonly help: string;
  readonly value: (input: GaugeInput) => number;
}

const toFlag = (value: boolean | undefined): number => (value ? 1 : 0);
const toSeconds = (iso: string | null | undefined): number => (iso ? Date.parse(iso) / 1000 : 0);

/**
 * All gauges without labels, by names that include the unit. `_timestamp_seconds` are seconds since 1970, so that `time() - x` is an age. A
 * value that is not known yet is 0.
 */
export const gaugeDefinitions: Readonly<Record<string, GaugeDefinition>> = {
  vitrine_ready: {
    help: "1 while /readyz answers 200.",
    value: ({ reasons }) => toFlag(reasons.length === 0),
  },
  vitrine_http_listening: {
    help: "HTTP processes that accept requests, without unresponsive ones.",
    value: ({ http }) => http?.listening ?? 0,
  },
  vitrine_http_answering: {
    help: "HTTP processes that accept requests and have a read model.",
    value: ({ http }) => http?.answering ?? 0,
  },
  vitrine_projector_state_since_timestamp_seconds: {
    help: "Time at which the projector entered its state.",
    value: ({ projector }) => toSeconds(projector.since),
  },
  vitrine_projector_silence_seconds: {
    help: "Time since the last report of the projector, which reports four times a second.",
    value: ({ projector }) => projector.silence,
  },
  vitrine_log_reachable: {
    help: "1 while the event log answers the projector.",
    value: ({ projector }) =>
      toFlag(projector.state !== "silent" && projector.status?.logReachable),
  },
  vitrine_log_last_sequence: {
    help: "Log sequence of the newest event, as last reported.",
    value: ({ projector }) => projector.status?.logLast ?? 0,
  },
  vitrine_lag_events: {
    help: "Events in the log that are not applied, as last reported.",
    value: ({ projector }) => projector.status?.lagEvents ?? 0,
  },
  vitrine_lag_seconds: {
    help: "Age of the oldest event that may not be applied; grows while it cannot be determined.",
    value: ({ projector }) => projector.lagSeconds,
  },
  vitrine_checkpoint_sequence: {
    help: "Log sequence up to which the read model includes events.",
    value: ({ projector }) => projector.status?.checkpoint ?? 0,
  },
  vitrine_checkpoint_timestamp_seconds: {
    help: "Time at which the log stored the newest event of the read model; it stops when the shop publishes nothing.",
    value: ({ projector }) => toSeconds(projector.status?.checkpointTime),
  },
  vitrine_dead_letters: {
    help: "Rejected events that were neither retried with success nor discarded.",
    value: ({ projector }) => projector.status?.counts?.deadLetters ?? 0,
  },
  vitrine_stale_events: {
    help: "Late events that changed nothing, since the generation was created.",
    value: ({ projector }) => projector.status?.tally.stale ?? 0,
  },
  vitrine_orphans: {
    help: "Products with stock or a price, but no product event.",
    value: ({ projector }) => projector.status?.counts?.orphans ?? 0,
  },
  vitrine_categories_held_back: {
    help: "Active categories that are hidden, because a parent is unknown, hidden or below them.",
    value: ({ projector }) => projector.status?.counts?.heldBackCategories ?? 0,
  },
  vitrine_products: {
    help: "Visible products.",
    value: ({ projector }) => projector.status?.counts?.products ?? 0,
  },
  vitrine_products_in_stock: {
    help: "Visible products that can be ordered.",
    value: ({ projector }) => projector.status?.counts?.inStock ?? 0,
  },
  vitrine_categories: {
    help: "Visible categories: all their ancestors are active.",
    value: ({ projector }) => projector.status?.counts?.categories ?? 0,
  },
  vitrine_generation_live_timestamp_seconds: {
    help: "Time at which the live generation became live.",
    value: ({ usage }) => (usage.liveSince ?? 0) / 1000,
  },
  vitrine_generation_size_bytes: {
    help: "Size on disk of the live generation.",
    value: ({ usage }) => usage.bytes,
  },
  vitrine_quarantined_generations: {
    help: "Damaged generations in quarantine.",
    value: ({ quarantined }) => quarantined.length,
  },
  vitrine_data_free_bytes: {
    help: "Free space on the disk of the data directory.",
    value: ({ usage }) => usage.freeBytes,
  },
  vitrine_rebuild_running: {
    help: "1 while a command builds a candidate generation.",
    value: ({ building }) => toFlag(building !== undefined),
  },
  vitrine_rebuild_sequence: {
    help: "Log sequence that this command has reached.",
    value: ({ building }) => building?.at ?? 0,
  },
  vitrine_rebuild_target_sequence: {
    help: "Log sequence at which this command ends.",
    value: ({ building }) => building?.of ?? 0,
  },
  vitrine_rebuild_eta_seconds: {
    help: "Remaining time of this command at its current rate.",
    value: ({ building }) => building?.etaSeconds ?? 0,
  },
};
