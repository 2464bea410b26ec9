/** A real OAuth server on loopback with a model: PKCE, single-use refresh tokens, tokens that expire. */
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LoginCallbacks, ProviderOAuth } from "./oauth-config.js";

export interface OAuthServer {
  readonly origin: string;
  /** The grant types of requests to `/token`: `authorization_code` and `refresh_token`. */
  readonly grants: string[];
  /** The token of each request to the model, with the status of the response. */
  readonly asked: string[];
  /** Lifetime of tokens in seconds. */
  lifetime: number;
  /** Refuse all refreshes. */
  revoke(): void;
  close(): Promise<void>;
}

export async function oauthServer(): Promise<OAuthServer> {
  const codes = new Map<string, string>();
  const access = new Set<string>();
  const refresh = new Set<string>();
  const state = { grants: [] as string[], asked: [] as string[], lifetime: 3600 };
  const issue = () => {
    const tokens = { access_token: token("at"), refresh_token: token("rt"), expires_in: state.lifetime };
    access.clear();
    access.add(tokens.access_token);
    refresh.add(tokens.refresh_token);
    return tokens;
  };
  const grant = (form: URLSearchParams): object | undefined => {
    state.grants.push(form.get("grant_type") ?? "");
    if (form.get("grant_type") === "refresh_token") {
      return refresh.delete(form.get("refresh_token") ?? "") ? issue() : undefined;
    }
    const challenge = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    return challenge !== undefined && challenge === challengeOf(form.get("code_verifier") ?? "") ? issue() : undefined;
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const body = await bodyOf(request);
    if (url.pathname === "/authorize") {
      const code = token("code");
      codes.set(code, url.searchParams.get("code_challenge") ?? "");
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      response.writeHead(302, { location: back.href }).end();
    } else if (url.pathname === "/token") {
      const tokens = grant(new URLSearchParams(body));
      if (tokens === undefined) json(response, 400, { error: "invalid_grant", sent: body });
      else json(response, 200, tokens);
    } else if (url.pathname === "/v1/models") {
      const known = access.has(bearer(request));
      json(response, known ? 200 : 401, known ? { data: [{ id: "live-1" }, { id: "live-2" }] } : { error: "token" });
    } else {
      const known = access.has(bearer(request));
      state.asked.push(`${known ? "valid" : "unknown"} ${url.pathname}`);
      if (known) answer(response);
      else json(response, 401, { error: { message: "bad token" } });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(state, {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    revoke: () => refresh.clear(),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}

/**
 * A client as an extension would write it: opens a page, receives the redirect on loopback, uses PKCE, checks the
 * state.
 */
export function oauthClient(origin: string): ProviderOAuth {
  const tokens = async (form: Record<string, string>, signal?: AbortSignal) => {
    const response = await fetch(`${origin}/token`, {
      method: "POST",
      body: new URLSearchParams(form),
      ...(signal && { signal }),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
    const given = (await response.json()) as { access_token: string; refresh_token: string; expires_in: number };
    return {
      access: given.access_token,
      refresh: given.refresh_token,
      expires: Date.now() + given.expires_in * 1000,
      region: "north",
    };
  };
  return {
    name: "Corporate SSO",
    async login(callbacks: LoginCallbacks) {
      const verifier = randomBytes(32).toString("base64url");
      const wanted = randomBytes(8).toString("hex");
      const listening = createServer();
      await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
      try {
        const redirect = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/callback`;
        const code = new Promise<string>((resolve, reject) => {
          callbacks.signal?.addEventListener("abort", () => reject(callbacks.signal?.reason), { once: true });
          listening.on("request", (request, response) => {
            const { searchParams } = new URL(request.url ?? "/", redirect);
            response.end("You can close this page.");
            if (searchParams.get("state") === wanted) resolve(searchParams.get("code") ?? "");
            else reject(new Error("The answer is for another login"));
          });
        });
        const url = new URL(`${origin}/authorize`);
        url.search = new URLSearchParams({
          ...{ response_type: "code", redirect_uri: redirect, state: wanted },
          ...{ code_challenge: challengeOf(verifier), code_challenge_method: "S256" },
        }).toString();
        callbacks.onAuth({ url: url.href });
        return await tokens({ grant_type: "authorization_code", code: await code, code_verifier: verifier });
      } finally {
        listening.closeAllConnections();
        listening.close();
      }
    },
    refreshToken: ({ refresh }, signal) => tokens({ grant_type: "refresh_token", refresh_token: refresh }, signal),
    getApiKey: ({ access }) => access,
  };
}

/** A user whose browser opens the page and follows its redirect. */
export function browsing(signal?: AbortSignal): LoginCallbacks & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    onAuth: ({ url }) => {
      seen.push(new URL(url).pathname);
      void fetch(url);
    },
    onDeviceCode: ({ userCode }) => void seen.push(userCode),
    onPrompt: async () => "",
    onSelect: async () => undefined,
    ...(signal && { signal }),
  };
}

function token(kind: string): string {
  return `${kind}-${randomBytes(12).toString("hex")}`;
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

function bearer(request: IncomingMessage): string {
  return (request.headers.authorization ?? "").replace(/^Bearer /, "");
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function answer(response: ServerResponse): void {
  const chunk = (choice: object) =>
    `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, ...choice }] })}\n\n`;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(chunk({ delta: { role: "assistant", content: "hello" }, finish_reason: null }));
  response.write(chunk({ delta: {}, finish_reason: "stop" }));
  response.end("data: [DONE]\n\n");
}
