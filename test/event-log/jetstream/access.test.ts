import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { connect, nkeys } from "nats";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openWithRetry } from "../../../src/cli/event-log.ts";
import { readConfig } from "../../../src/config.ts";
import type { VitrineError } from "../../../src/errors.ts";
import { connectBroker } from "../../../src/event-log/jetstream/connection.ts";
import { createLogger } from "../../../src/log.ts";
import { packageRoot } from "../../../src/package-info.ts";
import { sleep } from "../../../src/platform/async.ts";
import { type SettingName, settings } from "../../../src/settings.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../helpers/directory.ts";
import { findFreePort } from "../../helpers/free-port.ts";
import { type NatsServer, natsOperator, prepareNats, startNats } from "../../helpers/nats.ts";
import { until } from "../../helpers/vitrine.ts";
import { openShop } from "../implementations.ts";
import { follow, messages, recordsOf, sequencesOf } from "../messages.ts";
import { rejects } from "../rejects.ts";

const access = suite<{ server: NatsServer; directory: TemporaryDirectory }>("reaching JetStream");

access.before.each((context) => {
  context.directory = temporaryDirectory();
});
access.after.each(async (context) => {
  await context.server?.remove();
  context.directory.remove();
});

access("a wrong address is reported in one line within seconds, with a hint", async (context) => {
  context.server = await prepareNats();
  const start = performance.now();
  const refused = await rejects(
    () => openShop(context.server.url),
    "event_log",
    /connection refused/,
  );
  assert.ok(refused.message.includes(context.server.url));
  assert.match(refused.hint, /--events/);
  await rejects(() => openShop("nats://no-such-host.invalid:4222"), "event_log", /no-such-host/);
  assert.ok(performance.now() - start < 8000);
  await rejects(() => openShop("nats://"), "usage");
});

access(
  "the service waits for a broker that is not there yet, until it is stopped",
  async (context) => {
    context.server = await prepareNats();
    const { url } = context.server;
    await context.server.start();
    await (await openShop(url)).close();
    await context.server.kill();
    const names = Object.keys(settings) as SettingName[];
    const config = readConfig({ events: url, dataDir: context.directory.path }, {}, names);
    const open = (signal: AbortSignal) =>
      openWithRetry(config, createLogger("silent", "test"), signal, (_, waitMs) => sleep(waitMs));
    const opening = open(new AbortController().signal);
    const aborting = new AbortController();
    const given = open(aborting.signal);
    aborting.abort();
    assert.is(await given, undefined);
    await context.server.start();
    const log = await opening;
    assert.is((await log?.bounds())?.last, 0);
    await log?.close();
  },
);

access(
  "a cluster is found by the addresses it announced when the configured one stays away",
  async (context) => {
    const [one, two] = [await findFreePort(), await findFreePort()];
    const cluster = (name: string, listen: number, route: number): string =>
      `server_name: ${name}\ncluster { name: shop, listen: "127.0.0.1:${listen}", routes: ["nats-route://127.0.0.1:${route}"] }`;
    context.server = await startNats(cluster("a", one, two));
    const other = await startNats(cluster("b", two, one));
    const broker = await connectBroker({
      url: context.server.url,
      settings: {},
    });
    await until(
      () => broker.request(async ({ info }) => info?.connect_urls ?? []).catch(() => []),
      (failure) => failure.some((address) => address.endsWith(`:${other.port}`)),
      15,
    );
    await Promise.all([context.server.kill(), other.kill()]);
    // Long enough for the library to give up.
    const away = performance.now() + 6_000;
    await until(
      async () => performance.now(),
      (now) => now > away,
    );
    await other.start();
    const port = await until(
      () => broker.request(async (connection) => connection.info?.port).catch(() => undefined),
      (found) => found !== undefined,
      15,
    );
    assert.is(port, other.port);
    await broker.close();
    await other.remove();
  },
);

access(
  "a service that is stopped does not wait for an address that never answers",
  async (context) => {
    const silent = createServer();
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const url = `nats://127.0.0.1:${port}`;
    const aborting = new AbortController();
    const met = once(silent, "connection");
    const given = rejects(() => openShop(url, { signal: aborting.signal }), "event_log");
    const [socket] = await met;
    const abortedAt = performance.now();
    aborting.abort();
    await given;
    assert.ok(performance.now() - abortedAt < 1_000);
    socket.destroy();
    silent.close();
    context.server = await prepareNats();
  },
);

access("several addresses are tried in turn", async (context) => {
  context.server = await startNats();
  const nobody = await prepareNats();
  for (const other of [context.server.url, context.server.url.replace("nats://", "")]) {
    const log = await openShop(`${nobody.url},${other}`);
    assert.is((await log.bounds()).last, 0);
    await log.close();
  }
});

access("an invalid % in the address is reported without the password", async () => {
  const refused = await rejects(() => openShop("nats://shop:50%off@127.0.0.1:4222"), "usage");
  assert.match(refused.hint, /%25/);
  assert.not.match(`${refused.message} ${refused.hint}`, "off");
});

access("replaced credentials are read again, and the connection comes back", async (context) => {
  const [one, other] = [nkeys.createUser(), nkeys.createUser()];
  const nkey = join(context.directory.path, "user.nk");
  const keep = (user: typeof one) => writeFileSync(nkey, Buffer.from(user.getSeed()));
  keep(one);
  context.server = await startNats(`authorization { users: [{ nkey: ${one.getPublicKey()} }] }`);
  const log = await openShop(context.server.url, { settings: { nkey } });
  await log.append(messages(1, 2));
  await context.server.stop();
  const config = join(dirname(context.server.store), "nats.conf");
  const written = readFileSync(config, "utf8");
  writeFileSync(config, written.replace(one.getPublicKey(), other.getPublicKey()));
  keep(other);
  await context.server.start();
  await until(
    () => log.bounds().catch(() => undefined),
    (bounds) => bounds?.last === 2,
    15,
  );
  await log.close();
});

access("for a lost broker the log reports the error of the reconnect attempts", async (context) => {
  context.server = await startNats('authorization { user: "shop", password: "s3cret" }');
  const { url } = context.server;
  const log = await openShop(url.replace("//", "//shop:s3cret@"));
  const failure = (pattern: RegExp) =>
    until(
      () =>
        log.bounds().then(
          () => undefined,
          (error: VitrineError) => error,
        ),
      (error) => error !== undefined && pattern.test(error.message),
      15,
    );
  await context.server.stop();
  const gone = await failure(/: not connected: connection refused$/);
  assert.is(gone?.code, "event_log");
  assert.match(gone?.message ?? "", url);
  const config = join(dirname(context.server.store), "nats.conf");
  writeFileSync(config, readFileSync(config, "utf8").replace("s3cret", "an0ther"));
  await context.server.start();
  const refused = await failure(/: not connected: the broker refused the credentials$/);
  assert.match(refused?.hint ?? "", "NATS_USER");
  assert.not.match(`${refused?.message} ${refused?.hint}`, "s3cret");
  await log.close();
});

access("a missing stream is an error unless it may be created", async (context) => {
  context.server = await startNats();
  const { url } = context.server;
  const refused = await rejects(
    () => openShop(url, { createStream: false }),
    "event_log",
    /stream SHOP: unknown stream/,
  );
  assert.match(refused.hint, /--nats-stream/);
  await (await openShop(url)).close();
  const log = await openShop(url, { createStream: false });
  await log.close();
  const operator = await natsOperator(url);
  const { config } = await operator.streams.info("SHOP");
  await operator.disconnect();
  assert.equal([config.storage, config.subjects, config.allow_direct], ["file", ["shop.>"], true]);
  assert.is(config.duplicate_window, 600_000_000_000);
  assert.equal([config.deny_delete, config.deny_purge], [false, false]);
});

access("a broker without JetStream is reported as such", async (context) => {
  context.server = await startNats("accounts { PLAIN: { users: [{ user: a, password: b }] } }");
  const settings = { user: "a", pass: "b" };
  const refused = await rejects(() => openShop(context.server.url, { settings }), "event_log");
  assert.match(`${refused.message} ${refused.hint}`, /jetstream/i);
});

access(
  "user and password come from the settings or the address, and are never shown",
  async (context) => {
    context.server = await startNats('authorization { user: "shop", password: "s3cret" }');
    const { url } = context.server;
    const log = await openShop(url, { settings: { user: "shop", pass: "s3cret" } });
    await log.append(messages(1, 1));
    await log.close();
    const other = await openShop(url.replace("//", "//shop:s3cret@"));
    assert.is((await other.bounds()).last, 1);
    assert.is(other.address, `${url} stream SHOP`);
    await other.close();
    const wrong = url.replace("//", "//shop:s3crex@");
    const refused = await rejects(() => openShop(wrong), "event_log", /refused the credentials/);
    assert.not.match(refused.message, /s3cre/);
    await rejects(() => openShop(url), "event_log", /credentials/);
  },
);

access("a token, and an nkey from a file, are accepted", async (context) => {
  context.server = await startNats('authorization { token: "t0ken" }');
  await (await openShop(context.server.url, { settings: { token: "t0ken" } })).close();
  await context.server.remove();

  const user = nkeys.createUser();
  const nkey = join(context.directory.path, "user.nk");
  writeFileSync(nkey, `${Buffer.from(user.getSeed()).toString()}\n`);
  context.server = await startNats(`authorization { users: [{ nkey: ${user.getPublicKey()} }] }`);
  await (await openShop(context.server.url, { settings: { nkey } })).close();
  const absent = { nkey: join(context.directory.path, "absent.nk") };
  await rejects(() => openShop(context.server.url, { settings: absent }), "usage", /NATS_NKEY/);
});

access(
  "TLS: the server's certificate is verified, and a client certificate is sent",
  async (context) => {
    const { path } = context.directory;
    const { ca, cert, key } = makeCertificates(path);
    context.server = await startNats(
      `tls { cert_file: "${cert}", key_file: "${key}", ca_file: "${ca}", verify: true }`,
    );
    const url = context.server.url.replace("nats:", "tls:");
    const log = await openShop(url, { settings: { tlsCa: ca, tlsCert: cert, tlsKey: key } });
    await log.append(messages(1, 2));
    assert.is((await recordsOf(log)).length, 2);
    await log.close();
    const refused = await rejects(() => openShop(url), "event_log", /certificate/);
    assert.match(refused.hint, /NATS_TLS_CA/);
    await rejects(() => openShop(url, { settings: { tlsCa: ca } }), "event_log");
  },
);

const runbook = readFileSync(join(packageRoot, "deploy", "runbook.md"), "utf8");
const forbidden = [
  ...["PURGE", "DELETE", "UPDATE", "MSG.DELETE"].map((what) => `$JS.API.STREAM.${what}.SHOP`),
  ...["$JS.ACK.SHOP.any.1.1.1.1.0", "$JS.API.CONSUMER.DELETE.SHOP.any", "shop.product.1"],
];

access("an account with the rights to read one stream is enough to follow it", async (context) => {
  const [, reader = ""] = /```conf\n(\{ user: vitrine.*?)```/s.exec(runbook) ?? [];
  context.server = await startNats(
    `authorization { users: [{ user: shop, password: s }, ${reader}] }`,
  );
  const { url } = context.server;
  const shop = await openShop(url, { settings: { user: "shop", pass: "s" } });
  await shop.append(messages(1, 2));
  const settings = { user: "vitrine", pass: "secret", inboxPrefix: "_INBOX_vitrine" };
  const log = await openShop(url, { settings, createStream: false });
  const follower = follow(log);
  await shop.append(messages(3, 3));
  assert.equal(sequencesOf(await follower.sees(3)), [1, 2, 3]);
  assert.is((await log.get(2))?.sequence, 2);
  await rejects(() => log.append(messages(4, 4)), "event_log", /not allowed/);
  await follower.stop();
  const own = await connect({ servers: url, ...settings });
  for (const subject of forbidden) {
    const refusal = await own.request(subject, "{}").catch(({ code }) => code);
    assert.is(refusal, "PERMISSIONS_VIOLATION", subject);
  }
  await own.close();
  assert.equal(await shop.bounds(), await log.bounds());
  assert.is((await shop.bounds()).last, 3);
  await log.close();
  await shop.close();
});

access(
  "an account that may also delete consumers of the stream leaves none behind",
  async (context) => {
    const [, reader = ""] = /```conf\n(\{ user: vitrine.*?)```/s.exec(runbook) ?? [];
    const [, right = ""] = /Allow `("\$JS\.API\.CONSUMER\.DELETE[^`]*)`/.exec(runbook) ?? [];
    const allowed = reader.replace("publish: { allow: [", `publish: { allow: [ ${right},`);
    assert.match(allowed, "CONSUMER.DELETE");
    context.server = await startNats(
      `authorization { users: [{ user: shop, password: s }, ${allowed}] }`,
    );
    const { url } = context.server;
    const shop = await openShop(url, { settings: { user: "shop", pass: "s" } });
    await shop.append(messages(1, 2));
    const settings = { user: "vitrine", pass: "secret", inboxPrefix: "_INBOX_vitrine" };
    const log = await openShop(url, { settings, createStream: false });
    assert.is((await recordsOf(log)).length, 2);
    const operator = await natsOperator(url, { user: "shop", pass: "s" });
    await until(
      () => operator.consumers.list("SHOP").next(),
      (consumers) => consumers.length === 0,
      5,
    );
    await operator.disconnect();
    await log.close();
    await shop.close();
  },
);

access("a connection that is closed for good is replaced", async (context) => {
  context.server = await startNats();
  const { url } = context.server;
  const broker = await connectBroker({ url, settings: {} });
  const reconnected = new Promise<void>((resolve) => {
    broker.onReconnect(resolve);
  });
  await broker.request((connection) => connection.close()).catch(() => undefined);
  await reconnected;
  assert.type(await broker.request((connection) => connection.rtt()), "number");
  await broker.close();
});

/** Creates an authority, and one certificate for 127.0.0.1 that serves both sides. */
function makeCertificates(path: string): { ca: string; cert: string; key: string } {
  const file = (name: string) => join(path, name);
  const openssl = (command: string) =>
    execFileSync("openssl", command.split(" "), { cwd: path, stdio: "ignore" });
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
  writeFileSync(file("san"), "subjectAltName=IP:127.0.0.1,DNS:localhost");
  openssl(`req -x509 ${key} -keyout ca.key -out ca.pem -days 2 -subj /CN=authority`);
  openssl(`req ${key} -keyout key.pem -out request.pem -subj /CN=localhost`);
  openssl(
    "x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days 2 -extfile san",
  );
  return { ca: file("ca.pem"), cert: file("cert.pem"), key: file("key.pem") };
}

access.run();
