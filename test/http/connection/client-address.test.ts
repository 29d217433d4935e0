import { suite } from "uvu";
import * as assert from "uvu/assert";
import { clientAddress, type RemotePeer } from "../../../src/http/connection/connection-limits.ts";

const test = suite("client address");

const from = (remoteAddress: string, forwarded = ""): RemotePeer => ({
  socket: { remoteAddress },
  headers: forwarded === "" ? {} : { "x-forwarded-for": forwarded },
});

const proxy = "10.0.0.1";

test("without trusted proxies the client address is the socket's, whatever X-Forwarded-For says", () => {
  assert.is(clientAddress(from("192.0.2.1", "198.51.100.7"), 0), "192.0.2.1");
});

const rows: readonly [hops: number, header: string, client: string, when: string][] = [
  [1, "198.51.100.7", "198.51.100.7", "one proxy, one entry"],
  [
    1,
    "203.0.113.9, 198.51.100.7",
    "198.51.100.7",
    "entries further left are the client's own claim",
  ],
  [2, "203.0.113.9, 198.51.100.7, 10.0.0.2", "198.51.100.7", "two proxies"],
  [2, "198.51.100.7", "198.51.100.7", "fewer entries than proxies"],
  [1, "", proxy, "no header"],
  [1, "unknown", proxy, "no address"],
  [1, "198.51.100.7, _hidden", proxy, "no address in the trusted entry"],
  [1, "198.51.100.300", proxy, "almost an address"],
  [1, "0x7f.1", proxy, "an address as no proxy writes it"],
  [1, " 198.51.100.7 ", "198.51.100.7", "spaces"],
  [1, "198.51.100.7:4711", "198.51.100.7", "a port"],
  [1, "[2001:db8::7]:4711", "2001:db8:0:0::/64", "a port after IPv6"],
  [1, "::ffff:198.51.100.7", "198.51.100.7", "IPv4 inside IPv6"],
  [1, "2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::/64", "IPv6"],
  [1, "64:ff9b::c633:6407", "198.51.100.7", "IPv4 behind NAT64"],
  [1, "64:FF9B::203.0.113.9", "203.0.113.9", "IPv4 behind NAT64, with its address in decimals"],
  [1, "64:ff9b:1::c633:6407", "64:ff9b:1:0::/64", "a network beside that of NAT64"],
];

for (const [hops, header, client, when] of rows) {
  test(`behind ${hops} trusted proxies: ${when}`, () => {
    assert.is(clientAddress(from(proxy, header), hops), client);
  });
}

test("an IPv4-mapped IPv6 address is the IPv4 address", () => {
  assert.is(clientAddress(from("::ffff:192.0.2.1"), 0), clientAddress(from("192.0.2.1"), 0));
  assert.is(clientAddress(from("::ffff:c000:201"), 0), "192.0.2.1");
});

test("addresses of one IPv6 /64 network are one client, of two networks two clients", () => {
  const one = clientAddress(from("2001:db8:0:1::1"), 0);
  assert.is(clientAddress(from("2001:db8:0:1:ffff:ffff:ffff:ffff"), 0), one);
  assert.is.not(clientAddress(from("2001:db8:0:2::1"), 0), one);
});

test("addresses that differ only in their zone are one client", () => {
  const one = clientAddress(from("fe80::1%eth0"), 0);
  assert.is(one, "fe80:0:0:0::/64");
  for (const zone of ["eth1", "br-lan", "eth0.100", "my_net", "2", "a%b", "\n"]) {
    assert.is(clientAddress(from(`fe80::2%${zone}`), 0), one, zone);
    assert.is(clientAddress(from("192.0.2.1", `fe80::3%${zone}`), 1), one, zone);
  }
});

test.run();
