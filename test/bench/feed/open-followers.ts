import { connect, type Socket } from "node:net";

/** Streams of the change feed that are open. */
export interface OpenFollowers {
  /** Resolves when the followers have got as many messages with changes as there are followers, since the last such time. */
  allChanged(): Promise<void>;
  close(): void;
}

/** Addresses of loopback have this many followers each, because the service limits those of a client. */
const perAddress = 20;

/** Connections that are opened at the same time. */
const openedAtOnce = 200;

/** Opens streams from many addresses. @throws when the service refuses one */
export const openFollowers = async (url: string, count: number): Promise<OpenFollowers> => {
  const sockets: Socket[] = [];
  let [received, resolve] = [0, () => {}];
  let all = Promise.resolve();
  const onChange = (): void => {
    received += 1;
    if (received % count === 0) resolve();
  };
  for (let first = 0; first < count; first += openedAtOnce) {
    const numbers = Array.from({ length: Math.min(openedAtOnce, count - first) }, (_, at) => at);
    const opened = numbers.map((at) => openFollower(url, addressOf(first + at), onChange));
    sockets.push(...(await Promise.all(opened)));
  }
  return {
    allChanged() {
      all = new Promise((complete) => {
        resolve = complete;
      });
      return all;
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
};

const addressOf = (number: number): string => {
  const client = Math.floor(number / perAddress);
  return `127.0.${1 + (client >> 8)}.${client & 255}`;
};

/** Resolves when the service has sent its position. */
const openFollower = (url: string, localAddress: string, onChange: () => void): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, host, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.once("error", reject);
    socket.on("data", (chunk) => {
      // A message of one line fits into a segment of loopback.
      if (chunk.includes('"changes":[')) onChange();
      else if (chunk.includes("event: position")) resolve(socket);
      else if (/^HTTP\S+ [45]/.test(String(chunk))) reject(new Error(String(chunk)));
    });
    socket.write(`GET /agent/changes/stream?since=now HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  });
