/** Records the requests that a client sends, because some tests are about those. */

export interface RecordedRequest {
  readonly method: string;
  /** Parameters of the URL, or the JSON of the body. */
  readonly text: string;
}

export interface Recorder {
  /** Sends a request as the global function does. */
  readonly fetch: typeof fetch;
  readonly requests: readonly RecordedRequest[];
}

export const createRecorder = (): Recorder => {
  const requests: RecordedRequest[] = [];
  return {
    requests,
    async fetch(input, init) {
      const request = new Request(input, init);
      const text = request.method === "GET" ? new URL(request.url).search : String(init?.body);
      requests.push({ method: request.method, text: decodeURIComponent(text) });
      return await fetch(input, init);
    },
  };
};

/** Describes each request: its method, and whether it has the text of the query or only its hash. */
export const describeRequests = ({ requests }: Recorder): readonly string[] =>
  requests.map(({ method, text }) => {
    const parts = [
      ...(/\bquery\b"?[=:]/.test(text) ? ["text"] : []),
      ...(text.includes("sha256Hash") ? ["hash"] : []),
    ];
    return `${method} ${parts.join(" and ")}`;
  });
