import { suite } from "uvu";
import * as assert from "uvu/assert";
import { deriveNonce, readToken, signToken } from "../../../src/surfaces/access/bearer.ts";
import {
  isValid,
  labelPattern,
  parseBearer,
  wwwAuthenticate,
} from "../../../src/surfaces/access/tokens.ts";

const test = suite("tokens");
const secret = "a secret of sixteen or more";
const retry = (key: string, client = "192.0.2.1") => ({ client, key });
const facts = { label: "price-watcher", tokenEpoch: 3 };

test("a token carries label and epoch, and is verified with the secret alone", () => {
  const token = signToken(facts, secret);
  assert.match(token, /^vit_[\w-]+\.[\w-]+$/);
  assert.equal(readToken(token, secret), facts);
  assert.is(readToken(token, `${secret}!`), undefined);
});

test("a token may have any label that events can name", () => {
  for (const label of [
    "a",
    "Zoë's agent \u{1f916}",
    '"],[',
    "x".repeat(100),
    "\u{10ffff}".repeat(100),
  ]) {
    assert.ok(labelPattern.test(label));
    assert.equal(readToken(signToken({ label, tokenEpoch: 0 }, secret), secret), {
      label,
      tokenEpoch: 0,
    });
  }
});

test("a label with a line break or a lone surrogate is invalid", () => {
  for (const part of ["\u0000", "\n", "\u007f", "\u2028", "\u2029", "\ud800", "\udfff"]) {
    assert.not(labelPattern.test(`a${part}b`), JSON.stringify(part));
  }
});

test("two tokens of one label differ unless their nonce is the same", () => {
  assert.is.not(signToken(facts, secret), signToken(facts, secret));
  const nonce = deriveNonce(retry("key"), facts.label, secret);
  assert.is(signToken(facts, secret, nonce), signToken(facts, secret, nonce));
  assert.is.not(nonce, deriveNonce(retry("key"), "another", secret));
  assert.is.not(nonce, deriveNonce(retry("another"), facts.label, secret));
  assert.is.not(nonce, deriveNonce(retry("key", "192.0.2.2"), facts.label, secret));
  assert.is.not(deriveNonce(retry("ab"), "c", secret), deriveNonce(retry("a"), "bc", secret));
});

test("tokens and nonces are the same in every version, because tokens never expire", () => {
  assert.is(deriveNonce(retry("key"), facts.label, secret), "_XYH5GWLILd32veHPICCen");
  const nonce = "9KlGfcyKd-Mqpop0mVU-x5";
  const token =
    "vit_WyJwcmljZS13YXRjaGVyIiwzLCI5S2xHZmN5S2QtTXFwb3AwbVZVLXg1Il0.wrbKWhfEWodlEE20jTfKtE1wLdqTfB0IDit5nUGio_w";
  assert.is(signToken(facts, secret, nonce), token);
  assert.equal(readToken(token, secret), facts);
});

test("a token with one changed character is rejected", () => {
  const token = signToken(facts, secret);
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === "A" ? "B" : "A";
    assert.is(readToken(`${token.slice(0, at)}${other}${token.slice(at + 1)}`, secret), undefined);
  }
  for (const wrong of [`${token} `, `${token}=`, `${token}.`, token.slice(0, -1), `x${token}`]) {
    assert.is(readToken(wrong, secret), undefined, wrong);
  }
});

test("made-up tokens are rejected", () => {
  const payload = Buffer.from('["admin",9,"n"]').toString("base64url");
  for (const wrong of ["", "vit_", "vit_.", `vit_${payload}`, `vit_${payload}.`, "a".repeat(1e6)]) {
    assert.is(readToken(wrong, secret), undefined);
  }
});

test("a token is valid until its epoch is revoked", () => {
  const at = (tokenEpoch: number, revoked: boolean) =>
    isValid(facts, { label: facts.label, tokenEpoch, revoked });
  assert.ok(isValid(facts, undefined));
  assert.ok(at(2, false) && at(3, false));
  assert.not(at(4, false));
  assert.not(at(3, true));
  assert.not(at(4, true));
  // Issued after a regeneration whose event has not arrived here.
  assert.ok(at(2, true));
});

test("a token is read from a Bearer header in any case, and from no other scheme", () => {
  assert.is(parseBearer("Bearer vit_x.y"), "vit_x.y");
  assert.is(parseBearer("bearer   vit_x.y "), "vit_x.y");
  assert.is(parseBearer("Bearer"), "");
  assert.is(parseBearer("Bearer a b"), "");
  for (const none of ["", "Basic dTpw", "vit_x.y", "Bearervit_x"]) {
    assert.is(parseBearer(none), undefined);
  }
});

test("a missing token gets a challenge without an error (RFC 6750)", () => {
  const where =
    'resource_metadata="https://a.example/.well-known/oauth-protected-resource/agent/mcp"';
  const endpoint = { baseUrl: "https://a.example", path: "/agent/mcp" };
  assert.is(wwwAuthenticate(endpoint, false), `Bearer ${where}`);
  assert.is(wwwAuthenticate(endpoint, true), `Bearer ${where}, error="invalid_token"`);
});

test.run();
