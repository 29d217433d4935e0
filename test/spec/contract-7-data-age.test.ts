import { suite } from "uvu";
import * as assert from "uvu/assert";
import { open } from "../http/test-app.ts";

const test = suite("Contract 7, X-Max-Data-Age");

const ask = async (age: number | undefined, header: string | undefined) => {
  const app = await open(undefined, { dataAge: () => age });
  try {
    const response = await fetch(`${app.url}/llms.txt`, {
      headers: header === undefined ? {} : { "x-max-data-age": header },
    });
    const retryAfter = response.headers.get("retry-after");
    return { status: response.status, retryAfter, text: await response.text() };
  } finally {
    await app.close();
  }
};

test("Contract 7: a request is answered while the data is at most as old as X-Max-Data-Age", async () => {
  for (const [age, header] of [
    [2, "2"],
    [0, "0"],
    [59.5, "60"],
    [1_000, undefined],
    [undefined, undefined],
  ] as const)
    assert.is((await ask(age, header)).status, 200, `${age} ${header}`);
});

test("Contract 7: older data, or data of an age that is not known, is 503 unavailable with Retry-After", async () => {
  for (const [age, header, message] of [
    [2.1, "2", "The data may be 3 seconds old."],
    [undefined, "60", "The age of the data is not known yet."],
  ] as const) {
    const { status, retryAfter, text } = await ask(age, header);
    assert.is(status, 503);
    assert.is(retryAfter, "1");
    assert.is(JSON.parse(text).error.code, "unavailable");
    assert.is(JSON.parse(text).error.message, message);
  }
});

test("Contract 7: a value of X-Max-Data-Age that is no number of seconds is 400, which names the header", async () => {
  for (const header of ["soon", "-1", "1.5", "99999999999"]) {
    const { status, text } = await ask(0, header);
    assert.is(status, 400, header);
    assert.match(JSON.parse(text).error.message, "X-Max-Data-Age");
  }
});

test.run();
