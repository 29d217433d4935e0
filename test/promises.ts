export interface Proof {
  /** Path of the test file. */
  readonly file: string;
  /** Title of the test, or the part of the title that is constant across runs. */
  readonly title: string;
}

/** The tests that prove each promise of `deploy/promises.md`, by the number of the promise. */
export const promises: Readonly<Record<number, readonly Proof[]>> = {
  1: [
    {
      file: "test/projector/determinism.test.ts",
      title: "the model does not depend on how the log is cut into batches",
    },
    {
      file: "test/projector/determinism.test.ts",
      title: "the model does not depend on redelivered events",
    },
    {
      file: "test/read-model/reader/offset-page.test.ts",
      title: "a change of the shop's currency updates ranges, facets and sorts",
    },
    {
      file: "test/torture/simulator.test.ts",
      title: "misbehaving logs: no model mixes two histories, and each finally equals its log",
    },
    {
      file: "test/projector/batch/batch.test.ts",
      title: "a delete leaves a tombstone: a late older upsert does not bring the product back",
    },
    {
      file: "test/projector/batch/batch.test.ts",
      title: "an older event of the same millisecond changes nothing, of any type",
    },
    {
      file: "test/projector/batch/batch.test.ts",
      title: "an older event of the same millisecond does not bring a deleted product back",
    },
    {
      file: "test/events/time.test.ts",
      title: "two times compare like their decimal fractions, whatever their number of digits",
    },
    {
      file: "test/projector/batch/batch.test.ts",
      title: "a batch is rejected when another process wrote after it was folded",
    },
  ],
  2: [
    {
      file: "test/agreement.test.ts",
      title: "all surfaces show 1,000 random products as their events describe them",
    },
    {
      file: "test/surfaces/markdown/product-page.test.ts",
      title: "pages and answers equal those composed from the members, after any history",
    },
    {
      file: "test/surfaces/search.test.ts",
      title: "a price in a foreign currency is shown, but is in no range, facet or sort",
    },
    {
      file: "test/projector/logs.test.ts",
      title:
        "journal and NATS give byte-identical models of the demo shop, random histories and invalid events",
    },
    {
      file: "test/surfaces/merchant-html.test.ts",
      title: ": in text and Markdown of a product, a category and a page",
    },
    {
      file: "test/projector/rendering/superscripts.test.ts",
      title: "a price with superscript cents is not joined to its euros",
    },
    {
      file: "test/projector/rendering/strikethrough.test.ts",
      title: "text that a style strikes through is marked, whatever its element",
    },
    {
      file: "test/projector/rendering/table-spans.test.ts",
      title: "a cell over several rows is repeated in each of them",
    },
    {
      file: "test/projector/rendering/cdata.test.ts",
      title: "a split, nested or unclosed CDATA section loses no text",
    },
  ],
  3: [
    {
      file: "test/spec/contract-4-snapshot.test.ts",
      title: "contract §4 one request reads one snapshot while another process writes batches",
    },
    {
      file: "test/surfaces/text/sitemap-parts.test.ts",
      title:
        "a sitemap part shows one snapshot, whatever commits during its read (contract section 4)",
    },
    {
      file: "test/read-model/reader/snapshot.test.ts",
      title: "a walk whose generation is closed meanwhile throws, and does not end early",
    },
  ],
  4: [
    {
      file: "test/spec/contract-4-walking.test.ts",
      title: "while products change repeats none and skips none that stayed",
    },
    {
      file: "test/read-model/reader/offset-page.test.ts",
      title: "every page of a sort is correct, however unevenly the matches are distributed",
    },
  ],
  5: [
    {
      file: "test/torture/events.test.ts",
      title:
        "hostile events: each is applied or a dead letter, the count is exact, none takes over",
    },
    {
      file: "test/event-log/port.test.ts",
      title: "two events of one id from two sources are both stored, each once",
    },
    {
      file: "test/event-log/journal/journal.test.ts",
      title:
        "the journal knows events of an earlier version, and separates equal ids of two sources",
    },
    {
      file: "test/cli/commands/publish.test.ts",
      title:
        "publish rejects another event with a source and id in the journal, and appends nothing",
    },
    {
      file: "test/cli/commands/publish.test.ts",
      title:
        "publish rejects another event with a source and id at a broker, and appends the others",
    },
    {
      file: "test/projector/batch/batch.test.ts",
      title:
        "an invalid event becomes a dead letter with its bytes, and its neighbours are applied",
    },
  ],
  6: [
    {
      file: "test/processes/crash.test.ts",
      title:
        "a projector on NATS, killed -9 at random times, ends with the bytes of a clean replay",
    },
    {
      file: "test/torture/power-loss.test.ts",
      title: "states of a journal's disk: acknowledged events are there, and no partial append",
    },
    {
      file: "test/lmdb/environment.test.ts",
      title: "a process that opens the environment during a commit does not undo it",
    },
    {
      file: "test/torture/system-calls.test.ts",
      title:
        "failed writes and syncs at different calls: the batch is retried, reads go on, nothing is lost",
    },
    {
      file: "test/torture/power-loss.test.ts",
      title:
        "states of a disk after a power cut: each is a complete model at a commit, without loss",
    },
    {
      file: "test/read-model/generations/durable.test.ts",
      title: "a link and the names of its generation are durable",
    },
    {
      file: "test/read-model/generations/durable.test.ts",
      title:
        "a new data directory has durable names, with those of the directories created above it",
    },
    {
      file: "test/event-log/journal/journal.test.ts",
      title: "the journal's identity is durable before the first append",
    },
    {
      file: "test/lmdb/commit-mutex.test.ts",
      title: "a mutex whose lock file is torn still excludes other processes",
    },
  ],
  7: [
    {
      file: "test/torture/damage.test.ts",
      title: "damages of a file at rest: each is found, or has changed no row",
    },
    {
      file: "test/torture/damage.test.ts",
      title:
        "lost names of tables are found by a quick probe; tables of other versions are not missed",
    },
    {
      file: "test/torture/damage.test.ts",
      title: "is moved to quarantine and rebuilt, and no process dies",
    },
    {
      file: "test/torture/damage.test.ts",
      title: "a flipped bit fails one answer, and the next ones come from a new model",
    },
    {
      file: "test/torture/damage.test.ts",
      title:
        "rows that a page hides are found by a quick probe, and by reads of rows that refer to them",
    },
    {
      file: "test/torture/damage.test.ts",
      title: "hidden rows of any other table are found by a full probe",
    },
    {
      file: "test/torture/damage.test.ts",
      title:
        "a first replay that is damaged is moved to quarantine and begun again, and no process dies",
    },
    {
      file: "test/read-model/store/store.test.ts",
      title: "a page that LMDB cannot read flags the generation, whatever the kind of read",
    },
    {
      file: "test/read-model/reader/snapshot.test.ts",
      title: "a visible product without its offer is damage, and flags the generation",
    },
    {
      file: "test/torture/damage.test.ts",
      title: "while a damaged generation is rebuilt, the previous one answers",
    },
    {
      file: "test/torture/damage.test.ts",
      title:
        "damaged free pages, which no read finds, are found on write, and the model is rebuilt",
    },
    {
      file: "test/torture/damage.test.ts",
      title: "a damaged model is moved to quarantine while the log is unreachable",
    },
    {
      file: "test/torture/damage.test.ts",
      title: "after a crash of the projector the full file is probed before the next write",
    },
    {
      file: "test/torture/damage.test.ts",
      title:
        "a model whose projector exited without closing it is probed in full, whatever ended it",
    },
    {
      file: "test/projector/integrity/integrity-guard.test.ts",
      title: "the flag for a full read after a power cut is durable before anything is written",
    },
    {
      file: "test/torture/damage.test.ts",
      title:
        "a model that an HTTP process was reading when a damage signal killed it is probed in full",
    },
    {
      file: "test/cli/supervisor/restart.test.ts",
      title: "the exit reason names a lack of memory that the process reported itself",
    },
    {
      file: "test/torture/damage.test.ts",
      title:
        "a projector that dies twice at one event gives up that file, though all of it can be read",
    },
    {
      file: "test/torture/damage.test.ts",
      title:
        "a file that is truncated at runtime kills processes, and the service recovers within a minute",
    },
  ],
  8: [
    {
      file: "test/torture/damage.test.ts",
      title:
        "a damaged journal is rejected with exit code 3 and left unchanged, because no copy exists",
    },
    {
      file: "test/event-log/journal/journal.test.ts",
      title: "pages that LMDB cannot read are reported as damage",
    },
    {
      file: "test/torture/damage.test.ts",
      title: "a crash within the journal is reported as damage of the journal, and costs no model",
    },
    {
      file: "test/event-log/journal/journal.test.ts",
      title: "an append is rejected when the stored account of the newest event is wrong",
    },
    {
      file: "test/event-log/journal/journal.test.ts",
      title: "a missing event within the journal is reported, and no later event is read",
    },
    {
      file: "test/cli/commands/backup/command.test.ts",
      title: "a backup rejects damaged files, names them and gives a hint",
    },
    {
      file: "test/projector/projection-version.test.ts",
      title:
        "a model of an earlier version answers on while the journal is damaged, which is reported",
    },
  ],
  9: [
    {
      file: "test/projector/recover.test.ts",
      title: "a log created again under the same name is noticed and causes a rebuild",
    },
    {
      file: "test/projector/continuity/log-monitor.test.ts",
      title: "a log that reconnects as another one is noticed at once, without a new event",
    },
    {
      file: "test/projector/continuity/log-monitor.test.ts",
      title: "events that arrive during a continuity check are applied only when it succeeds",
    },
    {
      file: "test/projector/recover.test.ts",
      title: "history trimmed past the checkpoint is a gap: the projector stops with a hint",
    },
    {
      file: "test/projector/projection-version.test.ts",
      title:
        "a model of an earlier version is not rebuilt from a trimmed log; the status names the way out",
    },
    {
      file: "test/projector/continuity/read-continuous.test.ts",
      title: "other events at sequences that were read are a divergence",
    },
    {
      file: "test/projector/recover.test.ts",
      title:
        "a journal replaced while it is followed ends the process, and the next one reads the new journal",
    },
    {
      file: "test/projector/recover.test.ts",
      title:
        "a rebuild that cannot be compared with the previous generation goes live nevertheless",
    },
    {
      file: "test/projector/recover.test.ts",
      title: "when the log is replaced during a rebuild, the rebuild begins again",
    },
    {
      file: "test/projector/first-replay.test.ts",
      title:
        "a first replay begins again from a log that was created again, even when it has fewer events",
    },
    {
      file: "test/projector/first-replay.test.ts",
      title: "a first replay whose log was trimmed past its checkpoint begins again",
    },
    {
      file: "test/event-log/jetstream/jetstream.test.ts",
      title: "a first read begins wherever the log begins at that time",
    },
    {
      file: "test/projector/recover.test.ts",
      title: "a log that regains its lost history is followed without a restart",
    },
    {
      file: "test/projector/recover.test.ts",
      title: "a rebuild that would lose over a fifth of the products waits until the log has them",
    },
    {
      file: "test/projector/broker.test.ts",
      title:
        "a stream purged past the checkpoint is a gap: the projector stops, reports it, and reads go on",
    },
    {
      file: "test/projector/continuity/read-other-history.test.ts",
      title: "history rewritten while the reader was disconnected is a divergence",
    },
    {
      file: "test/event-log/jetstream/jetstream.test.ts",
      title: "a read yields no record of a consumer before its reader has verified the stream",
    },
    {
      file: "test/event-log/jetstream/jetstream.test.ts",
      title:
        "records of a consumer that lost its connection are not yielded before another verification",
    },
    {
      file: "test/projector/other-history.test.ts",
      title: "a stream that was deleted and created again with the same length causes a rebuild",
    },
    {
      file: "test/projector/other-history.test.ts",
      title:
        "a stream created again while the connection stays open causes a rebuild of the running program",
    },
    {
      file: "test/projector/other-history.test.ts",
      title: "a store that was restored from an older copy causes a rebuild",
    },
    {
      file: "test/projector/other-history.test.ts",
      title:
        "a restored store whose sequences were reused causes a rebuild, also without the checkpoint's record",
    },
    {
      file: "test/projector/other-history.test.ts",
      title:
        "a restored store of one event per subject causes a rebuild, also when all fingerprints are superseded",
    },
    {
      file: "test/projector/other-history.test.ts",
      title: ", before its first event was read is followed from its beginning",
    },
    {
      file: "test/projector/other-history.test.ts",
      title: "events that expired before they were read are a gap",
    },
    {
      file: "test/projector/other-history.test.ts",
      title: "events that newer ones of their subject replaced are not a gap, read or not",
    },
    {
      file: "test/projector/other-history.test.ts",
      title: "the event at the checkpoint, and one before it, may be deleted",
    },
    {
      file: "test/projector/other-history.test.ts",
      title: "in a store of several events per subject the newest may be deleted",
    },
    {
      file: "test/projector/other-history.test.ts",
      title: "a mirror of another source in place of a mirror causes a rebuild",
    },
    {
      file: "test/projector/other-history.test.ts",
      title: "a stream created again with identical events causes a rebuild",
    },
    {
      file: "test/projector/other-history.test.ts",
      title: "a stream edited between two starts of its broker",
    },
    {
      file: "test/projector/other-history.test.ts",
      title: "while no projector ran is the same log",
    },
    {
      file: "test/projector/other-history.test.ts",
      title: "an edited stream without any event of the fingerprints is another log",
    },
    {
      file: "test/projector/continuity/read-other-history.test.ts",
      title: "a stream whose edit changed its creation time is read on",
    },
    {
      file: "test/cli/edited-stream.test.ts",
      title: "every command accepts the edited stream as the log of the model",
    },
    {
      file: "test/torture/crash-laboratory.test.ts",
      title: "the broker's store goes back to an older copy, and its sequences are used again",
    },
  ],
  10: [
    {
      file: "test/torture/crash-laboratory.test.ts",
      title:
        "faults: after each the model equals a clean replay, and reads were answered throughout",
    },
    {
      file: "test/cli/supervisor/roles/follow-live-generation.test.ts",
      title: "a generation that is swapped in while the first one is checked is used at once",
    },
    {
      file: "test/projector/recover.test.ts",
      title: "when the log becomes unreachable in a rebuild, the projector waits and begins again",
    },
    {
      file: "test/torture/clock.test.ts",
      title: "after a backward jump during an outage the broker is found again",
    },
    {
      file: "test/event-log/jetstream/access.test.ts",
      title: "replaced credentials are read again, and the connection comes back",
    },
    {
      file: "test/event-log/jetstream/access.test.ts",
      title: "for a lost broker the log reports the error of the reconnect attempts",
    },
    {
      file: "test/projector/broker.test.ts",
      title:
        "while the broker is away reads go on; when it is back the projector goes on from its checkpoint",
    },
    { file: "test/projector/broker.test.ts", title: "s, and events applied within" },
    {
      file: "test/projector/run.test.ts",
      title: "a journal whose directory disappeared for a while is followed when it is back",
    },
    {
      file: "test/projector/continuity/log-monitor.test.ts",
      title: "continuity checks of an unreachable log do not queue up",
    },
    {
      file: "test/projector/continuity/log-monitor.test.ts",
      title: "a slow answer about the end of the log is not requested a second time meanwhile",
    },
    {
      file: "test/projector/continuity/log-monitor.test.ts",
      title: "a TypeError of the log ends the projector and does not count as an outage",
    },
    {
      file: "test/processes/restart.test.ts",
      title:
        "projectors that are started again after a kill -9, half show the end of the log within",
    },
    {
      file: "test/cli/commands/serve.test.ts",
      title: "a hanging HTTP process is excluded, killed and restarted",
    },
    {
      file: "test/cli/commands/serve.test.ts",
      title: "an HTTP process that hangs during its start is killed and restarted",
    },
    {
      file: "test/cli/commands/serve.test.ts",
      title:
        "a restarted HTTP process uses the synonyms of the start, whatever happened to their file",
    },
    {
      file: "test/cli/commands/serve.test.ts",
      title: "serve restarts a killed projector and killed HTTP processes, and loses nothing",
    },
  ],
  11: [
    {
      file: "test/cli/commands/serve.test.ts",
      title:
        "serve goes on while standard error cannot be written, as on a full disk, and can be stopped",
    },
    {
      file: "test/torture/disk-full.test.ts",
      title: "on a full disk the projector waits and reports it, reads go on, and nothing is lost",
    },
    {
      file: "test/torture/full-file-system.test.ts",
      title:
        "on a full file system the projector waits and reports it, reads go on, and nothing is lost",
    },
    {
      file: "test/torture/full-file-system.test.ts",
      title: "of the space it needs begins or goes on when there is space",
    },
    {
      file: "test/torture/full-file-system.test.ts",
      title: "rebuild without space is rejected and leaves nothing; with space it succeeds",
    },
    {
      file: "test/torture/full-file-system.test.ts",
      title: "the journal has exactly the acknowledged events, and publishing again completes it",
    },
    {
      file: "test/torture/full-file-system.test.ts",
      title: "the service starts and answers on a full disk, and so do its restarted processes",
    },
    {
      file: "test/torture/full-file-system.test.ts",
      title: "the lock, which is a directory, can be taken on a full disk, each time",
    },
    {
      file: "test/torture/full-file-system.test.ts",
      title: "a control request is answered on a full disk, also by the next projector",
    },
    {
      file: "test/torture/full-file-system.test.ts",
      title: "control requests are answered while a batch waits for space",
    },
    {
      file: "test/torture/full-file-system.test.ts",
      title: "a comparison without space costs no generation",
    },
    {
      file: "test/torture/full-file-system.test.ts",
      title:
        "more readers, or missing lock files, end no process on a full disk, and are not damage",
    },
  ],
  12: [
    {
      file: "test/projector/run.test.ts",
      title: "a failing projection stops applying, not reads, and is reported",
    },
    {
      file: "test/projector/run.test.ts",
      title: "events before one whose projection fails when it",
    },
    {
      file: "test/projector/run.test.ts",
      title:
        "a call that LMDB rejects as invalid is a bug of the projection, and is not retried for ever",
    },
    {
      file: "test/projector/batch/batch-writer-full-disk.test.ts",
      title: "a batch that a bug keeps from being written is not tried again",
    },
    {
      file: "test/projector/control/control.test.ts",
      title: "a projector goes on after a request of an unknown kind",
    },
    {
      file: "test/projector/recover.test.ts",
      title:
        "a projection with a bug does not hide another log, whatever was read of the previous one",
    },
    {
      file: "test/projector/rebuild/promote.test.ts",
      title: "a rollback is possible while a bug stops both generations",
    },
    {
      file: "test/projector/batch/batch.test.ts",
      title: "an exception while rows are derived is a bug, except for an error of the disk",
    },
  ],
  13: [
    {
      file: "test/processes/replay.test.ts",
      title: "the service answers during a replay of 100,000 events, and reports the correct lag",
    },
  ],
  14: [
    {
      file: "test/cli/commands/rebuild/point-in-time.test.ts",
      title: "--until-seq creates a directory that answers over HTTP and follows no log",
    },
    {
      file: "test/torture/degraded.test.ts",
      title:
        "degraded: the broker is unreachable and the only model in quarantine: 503, and no process ends",
    },
    {
      file: "test/torture/degraded.test.ts",
      title: "degraded: the broker is unreachable from the start",
    },
    {
      file: "test/http/middleware/data-age.test.ts",
      title:
        "every answer from the model has X-Data-Age: its maximum age in whole seconds, rounded up",
    },
    {
      file: "test/http/middleware/data-age.test.ts",
      title: "a 404 and the rejection of a revoked token have X-Data-Age too",
    },
    { file: "test/torture/degraded.test.ts", title: "degraded: the disk is full" },
    {
      file: "test/torture/degraded.test.ts",
      title:
        "degraded: the log was trimmed before it was read, until the shop publishes everything again",
    },
    {
      file: "test/torture/degraded.test.ts",
      title: ", until the shop publishes everything in a log without that event",
    },
    {
      file: "test/torture/upgrade.test.ts",
      title: "until its rebuild an old model answers, unless its rows have another form",
    },
    {
      file: "test/torture/clock.test.ts",
      title: "clock jumps while events arrive: nothing is lost, restarted, unready or late",
    },
    {
      file: "test/cli/commands/serve.test.ts",
      title: "serve shows the lag of a hanging projector, and goes on answering",
    },
    {
      file: "test/projector/run.test.ts",
      title: "the lag is reported in events and seconds while a backlog is applied",
    },
    {
      file: "test/projector/recover.test.ts",
      title: "a rebuild ends while events keep arriving, and the age of the answers is reported",
    },
    {
      file: "test/projector/run.test.ts",
      title: "during a control request nothing is applied, and the lag shows it",
    },
    {
      file: "test/projector/status/lag.test.ts",
      title: "the lag counts from the oldest chunk that is not applied, however many followed",
    },
    {
      file: "test/projector/status/lag.test.ts",
      title: "an observation of the log's end that is older than a chunk is ignored",
    },
    {
      file: "test/projector/continuity/log-monitor.test.ts",
      title: "a poll that fails after its monitor was stopped reports nothing",
    },
    {
      file: "test/ops/health/projector-monitor.test.ts",
      title: "a previous generation that replaces a damaged one is as old as its last event",
    },
  ],
  15: [
    {
      file: "test/torture/degraded.test.ts",
      title:
        "degraded: the broker is unreachable and the only model in quarantine: 503, and no process ends",
    },
    {
      file: "test/http/app.test.ts",
      title: "without a model every query is 503 unavailable with Retry-After",
    },
  ],
  16: [
    {
      file: "test/torture/freshness.test.ts",
      title: "seconds, each is shown soon after its acknowledgement",
    },
  ],
  17: [
    {
      file: "test/torture/entrances.test.ts",
      title: "hostile requests to every route: no 5xx, no crash, no secret, none over",
    },
    {
      file: "test/torture/entrances.test.ts",
      title: "hostile requests to the ops port: no 5xx, no crash, no secret in a response",
    },
    { file: "test/torture/attacks.test.ts", title: ": rejected or answered within" },
    {
      file: "test/torture/documents.test.ts",
      title: "random documents, each as large as the ceilings allow: answered within",
    },
    {
      file: "test/spec/contract-4-ceilings.test.ts",
      title:
        "contract §4 page sizes multiply the fields below them, by aliases, fragments and variables",
    },
    {
      file: "test/http/scheduling/admission-control.test.ts",
      title:
        "dozens of searches in one tick delay timers and other clients by at most a quarter of their time",
    },
    {
      file: "test/http/scheduling/admission-control.test.ts",
      title: "dozens of searches by a compiled document delay them by at most half of their time",
    },
    {
      file: "test/http/scheduling/admission-control.test.ts",
      title: "during overload new requests are read before the next queued request, up to a bound",
    },
    {
      file: "test/http/scheduling/admission-control.test.ts",
      title: "a request that waits for too long gets 429 with Retry-After",
    },
    {
      file: "test/http/cache/response-cache.test.ts",
      title: "a request that waits for too long gets 429, also when its document is cached",
    },
    {
      file: "test/http/scheduling/admission-control.test.ts",
      title: "a request that yields during its slot gets no second slot",
    },
    { file: "test/http/routes/page-rendering.test.ts", title: "without rendering the page" },
    {
      file: "test/http/scheduling/serial-executor.test.ts",
      title: "tasks run one at a time, also after a failure",
    },
    {
      file: "test/http/connection/parser-errors.test.ts",
      title: "and resets the connection causes no uncaught error",
    },
    {
      file: "test/http/connection/pipelining.test.ts",
      title: "unparsable bytes get one error response, behind a slow response, however many follow",
    },
    {
      file: "test/surfaces/text/sitemap-parts.test.ts",
      title:
        "pages are read for one part at a time, and once for all concurrent requests of a part",
    },
    {
      file: "test/read-model/search/effort.test.ts",
      title: "relaxed matching does at most a fixed number of lookups, with or without filters",
    },
    {
      file: "test/read-model/search/effort.test.ts",
      title: "of common parts as many count as the lookups allow, and at least one",
    },
    {
      file: "test/read-model/search/effort.test.ts",
      title: "an invalid later page is rejected before any lookup",
    },
    {
      file: "test/read-model/search/effort.test.ts",
      title: "a page from the far end of a sort needs no walk to it",
    },
    {
      file: "test/read-model/search/forgiving.test.ts",
      title: "a cursor may name only possible corrections of a word",
    },
  ],
  18: [
    {
      file: "test/http/server.test.ts",
      title:
        "one client gets a share of the connections; a trusted proxy gets those of many clients",
    },
    {
      file: "test/http/connection/parser-errors.test.ts",
      title: "the server closes the connection of a client that keeps its half open",
    },
    {
      file: "test/http/connection/backpressure.test.ts",
      title:
        "a client that pipelines more than 100 requests is cut off, and at most 100 are handled",
    },
    {
      file: "test/http/connection/backpressure.test.ts",
      title:
        "clients that read nothing on many connections: some are cut off, and a client that reads is served",
    },
    {
      file: "test/http/connection/backpressure.test.ts",
      title: "clients that fill the memory with the heads of pipelined requests are cut off",
    },
    {
      file: "test/http/connection/backpressure.test.ts",
      title: "on one connection no response is produced before the first one is read",
    },
    {
      file: "test/http/connection/pipelining.test.ts",
      title: "other connections are served between pipelined requests, which keep their sequence",
    },
    {
      file: "test/http/connection/pipelining.test.ts",
      title:
        "other connections are served between pipelined requests with a body, which keep their sequence",
    },
    {
      file: "test/http/connection/pipelining.test.ts",
      title: "a body of too many tiny chunks is rejected, and reading stops",
    },
    {
      file: "test/http/connection/pipelining.test.ts",
      title: "an unread body closes its connection, also when the response was sent long before",
    },
    {
      file: "test/http/connection/backpressure.test.ts",
      title: "a shared response body counts once: no client is cut off when many read it slowly",
    },
    {
      file: "test/http/order.test.ts",
      title: "a partial request counts towards the rate limit; without a token no body is read",
    },
    {
      file: "test/http/cache/response-cache.test.ts",
      title:
        "an agent that robots.txt denies is rejected before its body arrives, also with a verified token",
    },
    { file: "test/http/connection/rejected-connections.test.ts", title: ": counted once as" },
    {
      file: "test/http/connection/rejected-connections.test.ts",
      title: "rejections are logged with their counts, at most one line per period",
    },
    {
      file: "test/ops/metrics/process-metrics.test.ts",
      title: "rejected connections are counted by reason, each from zero",
    },
    {
      file: "test/torture/attacks.test.ts",
      title:
        "hundreds of slow clients and a thousand silent ones are cut off, and delay no other client",
    },
  ],
  19: [
    {
      file: "test/surfaces/markdown/hostile.test.ts",
      title: "no name, brand, title or specification changes the structure of a page",
    },
    { file: "test/torture/events.test.ts", title: ": neither the projector nor a page takes long" },
    {
      file: "test/surfaces/markdown/sanitize.test.ts",
      title: "a bracket in a text makes no link, and a bracket in a URL ends no outer link",
    },
    {
      file: "test/surfaces/markdown/html.test.ts",
      title:
        "any HTML stays in its section, without script URLs or invisible characters, in bounded time",
    },
    {
      file: "test/torture/events.test.ts",
      title: "a shop of hostile events is served on every surface without an error",
    },
    {
      file: "test/surfaces/deep-categories.test.ts",
      title: "a product in a thousand nested categories has its page",
    },
    {
      file: "test/projector/rendering/cdata.test.ts",
      title: "the content of a CDATA section is sanitised",
    },
    {
      file: "test/projector/rendering/addresses.test.ts",
      title: "URLs with credentials, backslashes or no host are removed",
    },
    {
      file: "test/projector/rendering/table-spans.test.ts",
      title: "hostile spans cost little time and give little text",
    },
  ],
  20: [
    {
      file: "test/torture/access.test.ts",
      title:
        "tokens that are cut, spliced, signed by others or signed for something else are rejected",
    },
    {
      file: "test/torture/clock.test.ts",
      title: "rate limit, tokens and registrations do not depend on the wall clock",
    },
    {
      file: "test/http/order.test.ts",
      title: "a token that is revoked before the body arrives is rejected",
    },
    {
      file: "test/torture/access.test.ts",
      title: "a wrong signature takes the same time whichever character is wrong",
    },
    {
      file: "test/torture/access.test.ts",
      title: "a signature is compared in constant time, right or wrong",
    },
    {
      file: "test/projector/batch/batch.test.ts",
      title: "a regeneration that is repeated does not make a revoked token valid",
    },
    {
      file: "test/event-log/port.test.ts",
      title: "of two handles that append the same message at once one gets a duplicate",
    },
    {
      file: "test/event-log/jetstream/jetstream.test.ts",
      title: "were lost tells what it has added from what was there",
    },
    {
      file: "test/spec/section-5-tokens.test.ts",
      title:
        "§5 rule 6 a regeneration revokes the older tokens of its label at once, and no others",
    },
    {
      file: "test/spec/section-5-tokens.test.ts",
      title: "§5 rule 6 a token revoked during one of its calls is rejected in every later call",
    },
    {
      file: "test/cli/commands/token.test.ts",
      title: "after the log was created again a revoked token stays invalid, and generations go on",
    },
    {
      file: "test/surfaces/access/bearer.test.ts",
      title: "tokens and nonces are the same in every version, because tokens never expire",
    },
    {
      file: "test/read-model/generations/durable.test.ts",
      title: "a new token secret is durable before it is used",
    },
    {
      file: "test/read-model/operator/revocation-floor.test.ts",
      title: "whatever logs a directory followed, no revoked token becomes valid again",
    },
    {
      file: "test/projector/revocations.test.ts",
      title: "revocations are in the operator state before the batch is committed",
    },
    {
      file: "test/projector/lost-models.test.ts",
      title: "a token stays revoked through a rebuild next to a damaged model",
    },
    {
      file: "test/projector/lost-models.test.ts",
      title: "a token stays revoked when every model is damaged",
    },
    {
      file: "test/projector/lost-models.test.ts",
      title: "a token stays revoked when a first replay is interrupted as it begins again",
    },
    {
      file: "test/cli/operator-state.test.ts",
      title: "no token is issued for a label that a lost model knew as revoked",
    },
    {
      file: "test/cli/operator-state.test.ts",
      title:
        "with a damaged operator state all tokens are rejected, other requests served, and commands give a hint",
    },
    {
      file: "test/cli/commands/token.test.ts",
      title: "revoke appends nothing to a log that the service does not follow, and creates none",
    },
    {
      file: "test/cli/commands/token.test.ts",
      title:
        "revoke appends nothing to a log that does not continue the model, and suggests another secret",
    },
    {
      file: "test/cli/commands/backup/command.test.ts",
      title: "a restore makes no revoked token valid, though the restored log has no event of it",
    },
    {
      file: "test/cli/commands/backup/command.test.ts",
      title: "a restore brings revocations of an earlier log and discards, and takes none back",
    },
    {
      file: "test/cli/commands/rebuild/point-in-time.test.ts",
      title: "in the directory later and earlier revocations apply, and a valid token works",
    },
    {
      file: "test/cli/commands/token.test.ts",
      title: "a running service accepts issued tokens, and no older one after a regeneration",
    },
    {
      file: "test/spec/contract-6-tools-access.test.ts",
      title: "a token of a lower epoch",
    },
  ],
  21: [
    {
      file: "test/torture/access.test.ts",
      title: "clients over 4 processes, and the counts take little memory",
    },
    {
      file: "test/http/middleware/rate-limit.test.ts",
      title: "a full table forgets the oldest clients, but none that has no requests left",
    },
    {
      file: "test/torture/access.test.ts",
      title: "trusted proxies no X-Forwarded-For gets a client another count",
    },
  ],
  22: [
    {
      file: "test/http/robots/policy.test.ts",
      title:
        "Google's test cases: agents with a group get the same results; other agents are allowed everything",
    },
    {
      file: "test/http/robots/addresses.test.ts",
      title: "is denied to an agent to which its page is denied",
    },
    {
      file: "test/http/robots/effort.test.ts",
      title: "20,000 rules with wildcards take under 100 ms, and still apply",
    },
    {
      file: "test/http/robots/effort.test.ts",
      title: "for no rules of maximum length does any path take 50 ms",
    },
    {
      file: "test/http/robots/effort.test.ts",
      title:
        "each request is matched once, in whichever layer, and too expensive ones are reported",
    },
  ],
  23: [
    {
      file: "test/http/cache/response-cache.test.ts",
      title: "large responses of tool calls evict no page from the cache",
    },
    {
      file: "test/http/connection/connection-limit.test.ts",
      title: "clients without connections take no memory, however many there were",
    },
    {
      file: "test/http/middleware/rate-limit.test.ts",
      title: "clients of an earlier window take no memory, whether they had requests left or none",
    },
    {
      file: "test/torture/soak.test.ts",
      title: "events a second: no error, no growth",
    },
    {
      file: "test/event-log/jetstream/jetstream.test.ts",
      title: "a finished read leaves no consumer at the broker",
    },
    {
      file: "test/event-log/jetstream/jetstream.test.ts",
      title: "a consumer whose connection broke is deleted over the next connection",
    },
  ],
  24: [
    {
      file: "test/torture/least-rights.test.ts",
      title: "serve runs as a user without rights on a read-only root",
    },
    {
      file: "test/torture/least-rights.test.ts",
      title: "stored files can be read and written by their owner only",
    },
    {
      file: "test/deploy/rights.test.ts",
      title: "the container removes every right that the service does not need",
    },
    {
      file: "test/event-log/jetstream/access.test.ts",
      title: "an account with the rights to read one stream is enough to follow it",
    },
    {
      file: "test/event-log/jetstream/access.test.ts",
      title: "an account that may also delete consumers of the stream leaves none behind",
    },
    {
      file: "test/deploy/drills/an-account-on-the-broker.test.ts",
      title:
        "the gateway publishes with the account of the shop, and serve follows without that right",
    },
    {
      file: "test/deploy/systemd/gateway.test.ts",
      title: "both run as one user without rights",
    },
  ],
  25: [
    {
      file: "test/deploy/packages.test.ts",
      title: "all packages come from the registry, each with a checksum",
    },
    {
      file: "test/deploy/packages.test.ts",
      title: "only reviewed packages run a script at installation",
    },
    {
      file: "test/deploy/packages.test.ts",
      title: "no body has an unlimited size, as raw-body would allow",
    },
    {
      file: "test/deploy/packages.test.ts",
      title: "the served codemirror has no Markdown mode",
    },
  ],
  26: [
    {
      file: "test/processes/swap.test.ts",
      title:
        "a client sees no failed, mixed or older answer while rebuilds swap and rollbacks happen",
    },
    {
      file: "test/torture/rebuild-load.test.ts",
      title: "requests a second: all answered, nearly as fast",
    },
    {
      file: "test/http/cache/coalesce.test.ts",
      title:
        "after a swap to a generation with equal pages no text is rendered again, whatever its age",
    },
    {
      file: "test/http/cache/coalesce.test.ts",
      title:
        "after a swap to other pages an expensive text is rendered when its share of the time allows it",
    },
    {
      file: "test/read-model/reader/sitemap-entries.test.ts",
      title:
        "the pages version is equal exactly when all pages have equal URLs, dates and changes to come",
    },
    {
      file: "test/cli/commands/rebuild/lower-priority.test.ts",
      title: "rebuild and verify lower their priority; rollback and commands that only read do not",
    },
    {
      file: "test/cli/supervisor/roles/follow-live-generation.test.ts",
      title: "all followers see a swap at the same time, forth and back",
    },
  ],
  27: [
    {
      file: "test/cli/same-answers.test.ts",
      title:
        "all surfaces are byte-identical before and after a rebuild, from NATS and from a journal",
    },
  ],
  28: [
    {
      file: "test/projector/run.test.ts",
      title: "a control request that cannot be taken blocks neither the log nor timers",
    },
    {
      file: "test/projector/integrity/lock.test.ts",
      title: "the lock of a running process is not taken over, whatever the clock says",
    },
    {
      file: "test/projector/integrity/lock.test.ts",
      title: "a zombie process does not hold its lock",
    },
    {
      file: "test/cli/commands/publish.test.ts",
      title: "publish creates no journal next to the model of a stream",
    },
    {
      file: "test/processes/kill-rebuild.test.ts",
      title: "a swap, killed -9 at 4 points, leaves a directory that starts and answers",
    },
    {
      file: "test/processes/kill-rebuild.test.ts",
      title: "before any of its changes leaves a directory that starts and answers",
    },
    {
      file: "test/event-log/journal/journal.test.ts",
      title: "an empty journal whose creation was interrupted is completed",
    },
    {
      file: "test/processes/crash-backup.test.ts",
      title: "a directory starts and answers wherever a restore is killed",
    },
    {
      file: "test/processes/crash-backup.test.ts",
      title: "a killed backup is complete or absent, and the next one sweeps its files",
    },
    {
      file: "test/processes/backup-steps.test.ts",
      title: "before one of its changes is complete or absent, and repeatable",
    },
    {
      file: "test/read-model/generations/durable.test.ts",
      title: "a backup is durable before it gets its name, and then its name is",
    },
    {
      file: "test/cli/commands/backup/command.test.ts",
      title: "a restored directory is durable before it has its name",
    },
    {
      file: "test/cli/commands/backup/command.test.ts",
      title: "a rejected restore leaves no new directory, and an empty one empty",
    },
  ],
  29: [
    {
      file: "test/cli/commands/verify.test.ts",
      title: "verify finds a flipped bit in a row of any table, and names table and key",
    },
    {
      file: "test/cli/commands/verify.test.ts",
      title: "verify finds a damaged row that no event explains, and rebuild repairs it",
    },
  ],
  30: [
    {
      file: "test/cli/commands/backup/command.test.ts",
      title:
        "a backup copies a consistent snapshot while events arrive, and is restored elsewhere with its journal",
    },
    {
      file: "test/cli/commands/backup/command.test.ts",
      title: "a restore rejects the backup of another log, and changes nothing",
    },
    {
      file: "test/cli/commands/backup/command.test.ts",
      title: "a backup rejects a model without the events it was made from, or with fewer",
    },
  ],
  31: [
    {
      file: "test/projector/dead-letters/dead-letters.test.ts",
      title: "a retry gives the rows of a replay, whatever was rejected before",
    },
    {
      file: "test/projector/dead-letters/dead-letters.test.ts",
      title: "a retry requests many dead letters from the log concurrently",
    },
  ],
  32: [
    { file: "test/torture/upgrade.test.ts", title: "is opened, or rebuilt from its journal" },
    {
      file: "test/torture/upgrade.test.ts",
      title: "a token that only the model of an earlier version knew as revoked stays revoked",
    },
    {
      file: "test/cli/operator-state.test.ts",
      title:
        "operator rows of an earlier version apply from the first request on, and after a rebuild",
    },
    {
      file: "test/cli/commands/backup/command.test.ts",
      title: "a restore takes over the operator rows in the model of an earlier version",
    },
    {
      file: "test/torture/upgrade.test.ts",
      title: "until its rebuild an old model answers, unless its rows have another form",
    },
    {
      file: "test/torture/upgrade.test.ts",
      title: "a model of later projections is rebuilt, with that reason",
    },
    {
      file: "test/projector/projection-version.test.ts",
      title: "answers until a new one is built; the status gives the reason",
    },
    {
      file: "test/projector/projection-version.test.ts",
      title: "no dead letter is applied to a model with other text data",
    },
    {
      file: "test/cli/commands/verify.test.ts",
      title: "a model with other text data is not compared; verify names the way out",
    },
    {
      file: "test/torture/upgrade.test.ts",
      title: "a directory of a later layout is rejected with exit code 3 and left unchanged",
    },
  ],
  33: [
    {
      file: "test/http/cache/coalesce.test.ts",
      title:
        "requests after a commit get no text whose rendering began before it, and share one rendering",
    },
    {
      file: "test/http/cache/coalesce.test.ts",
      title:
        "an expensive text keeps its share of the time when a commit happens during its rendering",
    },
    {
      file: "test/torture/safe-retry.test.ts",
      title:
        "requests, repeated to any process in any sequence, get the same response, byte for byte",
    },
    {
      file: "test/http/cache/coalesce.test.ts",
      title:
        "an expensive text is served stale for its share of the time, and is then rendered again",
    },
    {
      file: "test/cli/commands/serve.test.ts",
      title: "a restarted HTTP process ranks like the others, though the synonyms file was edited",
    },
    {
      file: "test/read-model/registrations/idempotency-store.test.ts",
      title: "keys are shared by processes and outlive them",
    },
  ],
  34: [
    {
      file: "test/spec/contract-3-lastmod.test.ts",
      title: "changes the dates of the affected pages only",
    },
    {
      file: "test/spec/contract-3-lastmod.test.ts",
      title:
        "contract §3 a category's Last-Modified does not go back when its newest product leaves",
    },
    {
      file: "test/spec/contract-3-lastmod.test.ts",
      title: "contract §3 Last-Modified does not go back when an older event wins by its sequence",
    },
  ],
  35: [
    {
      file: "test/spec/contract-3-categories.test.ts",
      title: "contract §3 the tree depends only on the last event of each category",
    },
    {
      file: "test/spec/contract-3-categories.test.ts",
      title:
        "contract §3 a cycle of categories is hidden with its descendants, and no event is rejected",
    },
    {
      file: "test/spec/contract-3-categories.test.ts",
      title: "contract §3 hidden categories are counted",
    },
  ],
  36: [
    {
      file: "test/cli/commands/publish.test.ts",
      title: "lint and publish reject another event with the source and id of an earlier line",
    },
    {
      file: "test/cli/commands/publish.test.ts",
      title:
        "an equal event with the same source and id is a duplicate, with members in any sequence",
    },
    { file: "test/cli/commands/publish.test.ts", title: "two sources may use one id" },
  ],
  37: [
    {
      file: "test/surfaces/markdown/pages.test.ts",
      title: "tracking parameters do not matter for a page, whatever its URL",
    },
    { file: "test/surfaces/mcp/eras.test.ts", title: "2026-07-28 null counts as omitted" },
    { file: "test/spec/section-4-2-tools.test.ts", title: "contract §5: get_shipping_options" },
    {
      file: "test/spec/contract-4-operations-in-urls.test.ts",
      title: "contract §4 GET answers as POST does, in both media types",
    },
    {
      file: "test/spec/contract-4-operations-in-urls.test.ts",
      title: "contract §4 a text sent by POST answers its hash by GET",
    },
    {
      file: "test/spec/contract-4-operations-in-urls.test.ts",
      title: "contract §7 a preflight of /graphql allows every header that it asks for",
    },
    { file: "test/ops/alerts.test.ts", title: "promtool has no remark about the metrics" },
  ],
  38: [
    {
      file: "test/clients/mcp/scenario.ts",
      title: "lists the tools, searches, reads a product and shows why a call failed",
    },
    { file: "test/clients/mcp/scenario.ts", title: "shows 401 for a token that was not issued" },
    { file: "test/clients/mcp/scenario.ts", title: "shows 429 over the rate limit" },
    { file: "test/clients/graphql/scenario.ts", title: "searches products" },
    {
      file: "test/clients/connect.test.ts",
      title: "mcp-remote connects with the arguments and the variable of the configuration",
    },
  ],
  39: [
    {
      file: "test/spec/contract-7-shared-caching.test.ts",
      title: "a reply that robots.txt denies to a named agent is not shared",
    },
    {
      file: "test/deploy/proxy/nginx-cache.test.ts",
      title: "the cache answers a second client, without RateLimit headers",
    },
    {
      file: "test/deploy/proxy/nginx-cache.test.ts",
      title: "a price change is visible within the seconds of --shared-max-age",
    },
    {
      file: "test/deploy/proxy/nginx-cache.test.ts",
      title: "no reply of the cache, or of a CDN before it, is older than the beginning of a sale",
    },
    { file: "test/deploy/proxy/nginx-cache.test.ts", title: "a 429 is not cached" },
  ],
  40: [
    {
      file: "test/deploy/systemd/upgrade.test.ts",
      title: "a restart refuses no connection and fails no request",
    },
    {
      file: "test/deploy/systemd/upgrade.test.ts",
      title: "the way back to the earlier version: no request fails",
    },
  ],
  41: [
    {
      file: "test/deploy/replicas/repeats.test.ts",
      title: "a POST that a replica refuses because it is behind goes to one that is not",
    },
    {
      file: "test/deploy/replicas/replicas.test.ts",
      title:
        "kill -9 of a replica fails no read by GET, and no POST but those in progress; it comes back by itself",
    },
    {
      file: "test/deploy/replicas/replicas.test.ts",
      title: "at the end the models of all replicas are equal, byte for byte",
    },
    {
      file: "test/deploy/replicas/clients.test.ts",
      title: "a token that was regenerated or revoked at one replica ends at all within a second",
    },
  ],
  42: [
    {
      file: "test/processes/gateway.test.ts",
      title: "after kill -9, each answered delivery is published once",
    },
    {
      file: "test/processes/gateway-outages.test.ts",
      title: "each delivery is answered 200, and later published once",
    },
    {
      file: "test/processes/gateway-full-disk.test.ts",
      title: "a disk that is full within a commit is answered 503, and nothing ends or is lost",
    },
    {
      file: "test/torture/gateway.test.ts",
      title: "hostile deliveries: no 5xx but 503, no crash, no growth, and each event is valid",
    },
    {
      file: "test/spec/contract-10-deliveries.test.ts",
      title: "4: after a stop, the next gateway goes on behind the last delivery",
    },
    {
      file: "test/spec/contract-10-deliveries.test.ts",
      title: "6: an outage of the log changes no answer, and each delivery is published once",
    },
    {
      file: "test/spec/contract-10-deliveries.test.ts",
      title: "4: deliveries are translated in the sequence of their arrival",
    },
    {
      file: "test/spec/contract-10-deliveries.test.ts",
      title: "1: the secret of another connection is refused",
    },
    {
      file: "test/spec/contract-10-deliveries.test.ts",
      title: "a topic without goods is answered",
    },
    {
      file: "test/spec/contract-10-deliveries.test.ts",
      title: "8: a refused delivery is kept with its reason, and the next one is translated",
    },
    {
      file: "test/deploy/systemd/gateway.test.ts",
      title: "a delivery to the gateway is shown by the service, also after a restart of both",
    },
  ],
  43: [
    {
      file: "test/deploy/drills/the-inbox-is-full.test.ts",
      title: "deliveries wait for the log, are refused, and are taken again",
    },
    {
      file: "test/gateway/translate-loop.test.ts",
      title:
        "Contract 10: Deliveries 8 translated deliveries go after 7 days, and refused ones after 30",
    },
    {
      file: "test/gateway/translate-loop.test.ts",
      title:
        "Contract 10: Deliveries 7 an exception stops the connection before the delivery, and keeps the inbox",
    },
    {
      file: "test/cli/commands/backup/connections.test.ts",
      title: "a backup beside a gateway is restored elsewhere, where no event id repeats",
    },
  ],
  44: [
    {
      file: "test/spec/contract-10-files.test.ts",
      title: "4. A bad row is named by file, line, column and reason, and then nothing is appended",
    },
    {
      file: "test/spec/contract-10-files.test.ts",
      title: "4. A file that is cut is refused whole, also with --skip-invalid",
    },
    {
      file: "test/spec/contract-10-files.test.ts",
      title:
        "3. The id of an event has the digest of its subject and data, and the time of the file",
    },
    {
      file: "test/spec/contract-10-files.test.ts",
      title: "6. Ten deletions and more than a fifth need --allow-loss",
    },
    {
      file: "test/processes/import.test.ts",
      title: "kill -9 at random points, the next import ends with the same events",
    },
    {
      file: "test/torture/files.test.ts",
      title: "each gives items or is unusable, no item meets a bug, and each event is valid",
    },
  ],
  45: [
    {
      file: "test/surfaces/feed/mirror.test.ts",
      title: "at every claim a follower has the shop, however the log is cut and whatever the time",
    },
    {
      file: "test/surfaces/feed/mirror.test.ts",
      title: "a follower may move between replicas that cut the log elsewhere",
    },
    {
      file: "test/surfaces/feed/mirror.test.ts",
      title: "walks that commits and changes of the time interrupt lead to the shop",
    },
    {
      file: "test/surfaces/feed/mirror.test.ts",
      title: "a follower of some kinds has the lines of these kinds, at the same claims",
    },
    {
      file: "test/surfaces/feed/mirror.test.ts",
      title: "an export that states the shop again tells a follower nothing",
    },
    {
      file: "test/surfaces/feed/mirror.test.ts",
      title: "a rebuild tells a follower nothing",
    },
    {
      file: "test/processes/feed.test.ts",
      title:
        "a follower loses nothing when processes are killed, and a rebuild or a rollback tells it nothing",
    },
    {
      file: "test/spec/contract-11-changes.test.ts",
      title:
        "Contract 11, rules 8 and 12: hidden prices are told as null, and what they hide is left out",
    },
    {
      file: "test/spec/contract-11-changes.test.ts",
      title:
        "Contract 11, rules 10 and 11: what is shown no more is removed with a reason; what never was shown is not told",
    },
    {
      file: "test/projector/dead-letters/dead-letters.test.ts",
      title: "Contract 11, rule 24: followers are told of a retry with the next event",
    },
    {
      file: "test/deploy/examples/mirror.test.ts",
      title: "it has the shop, and then what changes and what is removed",
    },
  ],
  46: [
    {
      file: "test/spec/contract-11-min-position.test.ts",
      title:
        "answers from a position that it has reached, and refuses that of another epoch at once",
    },
    {
      file: "test/spec/contract-11-min-position.test.ts",
      title:
        "Contract 11, rule 6: a position that does not come is 412 after two seconds, with Retry-After and the position of the service",
    },
    {
      file: "test/spec/contract-11-min-position.test.ts",
      title:
        "Contract 11, rule 6: a wait follows a swap to a generation of its epoch, and ends at another one",
    },
    {
      file: "test/spec/contract-11-min-position.test.ts",
      title:
        "Contract 11, rule 7: a reply that shared caches may keep varies by X-Min-Position, as its 304 and HEAD do",
    },
    {
      file: "test/processes/feed.test.ts",
      title:
        "a follower may move between services on one log, and reads after a write with its position",
    },
  ],
};
