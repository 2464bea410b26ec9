/** Receives the browser's redirect after a login, at a URL on this machine. */
import type { AddressInfo } from "node:net";
import { errorText } from "@bough/session/text/index.js";
import { McpError } from "../mcp-error.js";

export interface LoopbackRedirect {
  readonly url: string;
  /** Resolves with the parameters of the redirect, once one with the right state arrives. */
  readonly answer: (options: { readonly signal: AbortSignal }) => Promise<URLSearchParams>;
  readonly close: () => void;
}

const PAGE = (text: string) =>
  `<!doctype html><meta charset="utf-8"><title>Bough</title><p style="font: 16px sans-serif">${text}</p>`;

const ORIGIN = "http://127.0.0.1";

/** Listens only on 127.0.0.1. Requests without the right state, as a parameter or at the end of the path, are ignored. */
export async function loopbackRedirect({
  port = 0,
  state,
}: {
  readonly port?: number;
  readonly state: string;
}): Promise<LoopbackRedirect> {
  let answered: (params: URLSearchParams) => void = () => {};
  const answer = new Promise<URLSearchParams>((resolve) => {
    answered = resolve;
  });
  // Loaded here: only a login needs it.
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    // Anything on this machine can send a request, with a target that is not a URL.
    const target = URL.canParse(request.url ?? "/", ORIGIN) ? (request.url ?? "/") : "/";
    const url = new URL(target, ORIGIN);
    const isOurs =
      url.pathname === `/callback/${state}` ||
      (url.pathname === "/callback" && url.searchParams.get("state") === state);
    const isAnswer = request.method === "GET" && isOurs;
    const failed = url.searchParams.has("error");
    response.writeHead(isAnswer ? 200 : 400, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      connection: "close",
    });
    const text = !isAnswer ? "This is not the response to a login." : failed ? "The login failed." : "Logged in.";
    response.end(PAGE(`${text} You can close this page.`));
    if (isAnswer) answered(url.searchParams);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new McpError("login-failed", `Cannot wait for the login on 127.0.0.1:${port}: ${errorText(error)}`, {
          hint: "Choose another callbackPort, or stop the program that uses it.",
          cause: error,
        }),
      ),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return {
    url,
    answer: ({ signal }) =>
      new Promise((resolve, reject) => {
        const stop = () => reject(new McpError("login-failed", "The login timed out or was cancelled"));
        if (signal.aborted) return stop();
        signal.addEventListener("abort", stop, { once: true });
        void answer.then(resolve);
      }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
