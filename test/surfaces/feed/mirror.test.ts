import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import type { Reader } from "../../../src/read-model/reader/reader.ts";
import { lineKinds } from "../../../src/read-model/schema/lines.ts";
import { property } from "../../helpers/effort.ts";
import { productUpserted, recordOf } from "../../helpers/events.ts";
import { history } from "../../helpers/histories.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";
import {
  ask,
  follow,
  type Mirror,
  offerIn,
  offerOf,
  offersOf,
  openMirror,
  readerAt,
  sorted,
} from "./mirror.ts";

const test = suite("surfaces/feed/mirror");
const runs = property(300);

/** Hours around which the sales of a history begin and end. */
const clock = fc.integer({ min: -24, max: 12 }).map((hour) => Date.UTC(2026, 9, 2, hour, 30));
const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 });

/** A model that gets a log in batches. */
interface Replica {
  readonly model: TestModel;
  readonly reader: Reader;
  /** Log sequence that it has reached. */
  reached: number;
  readonly ends: readonly number[];
}

const openReplica = (
  events: readonly CloudEvent[],
  lengths: readonly number[],
  now: () => number,
): Replica => {
  const model = openModel();
  return {
    ...{ model, reached: 0, ends: toBatches(events.length, lengths) },
    reader: readerAt(model.store, now),
  };
};

/** Applies the next batches, until the replica is further than a sequence. @returns false at the end of the log */
const advance = (
  replica: Replica,
  events: readonly CloudEvent[],
  past = replica.reached,
): boolean => {
  for (const end of replica.ends) {
    if (end <= replica.reached || replica.reached > past) continue;
    const records = events
      .slice(replica.reached, end)
      .map((event, at) => recordOf(event, replica.reached + at + 1));
    replica.model.deliver(records);
    replica.reached = end;
  }
  return replica.reached < events.length;
};

/** Cuts a number of events into batches. @returns the end of each */
const toBatches = (events: number, lengths: readonly number[]): readonly number[] => {
  const ends: number[] = [];
  for (let end = 0, at = 0; end < events; at += 1) {
    end = Math.min(events, end + (lengths[at % lengths.length] ?? 1));
    ends.push(end);
  }
  return ends;
};

const assertEqualsShop = (mirror: Mirror, reader: Reader): void => {
  const fresh = openMirror();
  follow(fresh, reader);
  assert.equal(sorted(mirror.lines), sorted(fresh.lines));
  reader.snapshot((snapshot) => {
    for (const [id, [product, variant]] of offersOf(snapshot))
      assert.equal(
        offerIn(mirror.lines, product, variant),
        offerOf(snapshot, product, variant),
        id,
      );
    assert.is(
      [...mirror.lines.keys()].filter((key) => key.startsWith("product/")).length,
      snapshot.counts().products,
    );
  });
};

test("at every claim a follower has the shop, however the log is cut and whatever the time", async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      cuts,
      fc.array(clock, { minLength: 1 }),
      async (events, lengths, times) => {
        const ascending = [...times].sort((a, b) => a - b);
        let now = ascending[0] ?? 0;
        const replica = openReplica(events, lengths, () => now);
        const mirror = openMirror();
        for (let turn = 0, goesOn = true; goesOn; turn += 1) {
          now = ascending[Math.min(turn, ascending.length - 1)] ?? 0;
          goesOn = advance(replica, events);
          follow(mirror, replica.reader);
          assertEqualsShop(mirror, replica.reader);
        }
        now += 86_400_000;
        follow(mirror, replica.reader);
        assertEqualsShop(mirror, replica.reader);
        await replica.model.close();
      },
    ),
    runs,
  );
});

test("a follower may move between replicas that cut the log elsewhere", async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      cuts,
      cuts,
      fc.infiniteStream(fc.boolean()),
      async (events, one, other, moves) => {
        const now = () => Date.UTC(2026, 9, 2, 2);
        const replicas = [openReplica(events, one, now), openReplica(events, other, now)] as const;
        const mirror = openMirror();
        for (const isMoving of moves) {
          const replica = replicas[isMoving ? 1 : 0];
          // A replica that is behind lets the follower wait.
          const goesOn = advance(replica, events, mirror.next.since.sequence);
          follow(mirror, replica.reader);
          assertEqualsShop(mirror, replica.reader);
          if (!goesOn) break;
        }
        await Promise.all(replicas.map(({ model }) => model.close()));
      },
    ),
    runs,
  );
});

test("walks that commits and changes of the time interrupt lead to the shop", async () => {
  await fc.assert(
    fc.asyncProperty(history, cuts, steps, async (events, lengths, taken) => {
      let now = Date.UTC(2026, 9, 1, 20);
      const replica = openReplica(events, lengths, () => now);
      advance(replica, events);
      const mirrors = {
        one: openMirror(undefined, { lines: 2 }),
        other: openMirror(undefined, { keys: 3 }),
      };
      const take: Record<"commit" | "time" | "one" | "other", () => void> = {
        commit: () => advance(replica, events),
        time: () => {
          now += 1_800_000;
        },
        one: () => askOnce(mirrors.one, replica),
        other: () => askOnce(mirrors.other, replica),
      };
      for (const step of taken) take[step]();
      for (const mirror of Object.values(mirrors)) {
        follow(mirror, replica.reader);
        assertEqualsShop(mirror, replica.reader);
      }
      await replica.model.close();
    }),
    runs,
  );
});

const steps = fc.array(fc.constantFrom("commit", "time", "one", "other"), { maxLength: 60 });

const askOnce = (mirror: Mirror, { reader }: Replica): void => {
  if (ask(mirror, reader)?.position) assertEqualsShop(mirror, reader);
};

const moves = fc.array(fc.boolean(), { maxLength: 30 });

/** Products whose sale begins and ends between the two clocks. */
const onSale = [11, 12, 13].map((id) =>
  productUpserted({
    id,
    price: { amount: "9.00", currency: "EUR" },
    sales: [{ price: { amount: "8.00", currency: "EUR" }, from: "2026-10-02T02:00:00Z" }],
  }),
);

test("a walk over replicas whose clocks differ leads to the shop at the later clock", async () => {
  await fc.assert(
    fc.asyncProperty(history, cuts, moves, async (others, lengths, taken) => {
      const events = [...onSale, ...others];
      const late = openReplica(events, lengths, () => Date.UTC(2026, 9, 2, 5));
      const early = openReplica(events, lengths, () => Date.UTC(2026, 9, 2, 0, 30));
      for (const replica of [late, early]) while (advance(replica, events));
      const mirror = openMirror(undefined, { lines: 2 });
      for (const isLate of taken)
        if (isLate) askOnce(mirror, late);
        else ask(mirror, early.reader);
      follow(mirror, late.reader);
      assertEqualsShop(mirror, late.reader);
      await Promise.all([late, early].map(({ model }) => model.close()));
    }),
    runs,
  );
});

test("a follower of some kinds has the lines of these kinds, at the same claims", async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      cuts,
      fc.uniqueArray(fc.constantFrom(...lineKinds), { minLength: 1 }),
      async (events, lengths, kinds) => {
        const replica = openReplica(events, lengths, () => Date.UTC(2026, 9, 2, 2));
        const [some, all] = [openMirror(new Set(kinds)), openMirror()];
        for (let goesOn = true; goesOn; ) {
          goesOn = advance(replica, events);
          assert.is(follow(some, replica.reader), follow(all, replica.reader));
          const isOfKinds = ([key]: readonly [string, unknown]) =>
            kinds.some((kind) => key.startsWith(`${kind}/`));
          assert.equal(sorted(some.lines), sorted(new Map([...all.lines].filter(isOfKinds))));
        }
        await replica.model.close();
      },
    ),
    runs,
  );
});

test("an export that states the shop again tells a follower nothing", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (events) => {
      const replica = openReplica(events, [events.length], () => Date.UTC(2026, 9, 2, 2));
      advance(replica, events);
      const mirror = openMirror();
      follow(mirror, replica.reader);
      const { changeCount } = mirror;
      const again = latestOfOneSource(events).map((event) => ({
        ...withoutSequence(event),
        id: `${event.id}-again`,
        time: "2026-10-01T09:00:00.000Z",
      }));
      replica.model.deliver(again.map((event, at) => recordOf(event, events.length + at + 1)));
      follow(mirror, replica.reader);
      assert.is(mirror.changeCount, changeCount);
      await replica.model.close();
    }),
    runs,
  );
});

const withoutSequence = ({ sequence: _, ...event }: CloudEvent & { sequence?: string }) => event;

/** Complete events of entities that one event stated, and that no other source states. */
const latestOfOneSource = (events: readonly CloudEvent[]): readonly CloudEvent[] => {
  const complete = ["shop.settings.updated", "shop.category.upserted", "shop.page.upserted"];
  const bySubject = new Map<string, CloudEvent[]>();
  for (const event of events) {
    const subject = String(event.subject);
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), event]);
  }
  return [...bySubject.values()].flatMap((stated) => {
    const [only] = stated;
    const isComplete =
      only && [...complete, "shop.carrier.upserted", "shop.stock.changed"].includes(only.type);
    return isComplete && stated.length === 1 ? [only] : [];
  });
};

test("a rebuild tells a follower nothing", async () => {
  await fc.assert(
    fc.asyncProperty(history, cuts, async (events, lengths) => {
      const now = () => Date.UTC(2026, 9, 2, 2);
      const replica = openReplica(events, lengths, now);
      const rebuilt = openReplica(events, [events.length], now);
      while (advance(replica, events));
      advance(rebuilt, events);
      const mirror = openMirror();
      follow(mirror, replica.reader);
      const { changeCount } = mirror;
      follow(mirror, rebuilt.reader);
      assert.is(mirror.changeCount, changeCount);
      await Promise.all([replica, rebuilt].map(({ model }) => model.close()));
    }),
    runs,
  );
});

test.run();
