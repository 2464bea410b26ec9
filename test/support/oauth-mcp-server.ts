/** An MCP server over HTTP behind an OAuth 2.1 authorization server of its own: metadata, registration, PKCE, refresh. */
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface OAuthMcpServer {
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  /** Those of them that came with the header `x-team-key`. */
  readonly keys: string[];
  readonly origin: string;
  /** From now on no access token that was given counts. */
  expire(): void;
  /** From now on no refresh token that was given counts. */
  revoke(): void;
  close(): Promise<void>;
}

interface OAuthOptions {
  /** What the metadata says in place of the real address. */
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  /** Another one that gives the tokens. */
  readonly authorizationServer?: OAuthMcpServer;
}

/** The browser of this server is whoever follows the redirect of `/authorize`: everyone is logged in there. */
export async function oauthMcpServer({
  authorizationEndpoint,
  tokenEndpoint,
  authorizationServer,
}: OAuthOptions = {}): Promise<OAuthMcpServer> {
  const asked: string[] = [];
  const keys: string[] = [];
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<string, { readonly challenge: string; readonly redirect: string; readonly client: string }>();
  let access = new Set<string>();
  let refresh = new Set<string>();
  let origin = "";
  const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
  const tokens = () => {
    const given = { access_token: randomBytes(16).toString("hex"), refresh_token: randomBytes(16).toString("hex") };
    access.add(given.access_token);
    refresh.add(given.refresh_token);
    return { ...given, token_type: "Bearer", expires_in: 3600, scope: "all" };
  };

  const token = (response: ServerResponse, form: URLSearchParams) => {
    const invalid = () => json(response, 400, { error: "invalid_grant" });
    if (form.get("grant_type") === "refresh_token") {
      const old = form.get("refresh_token") ?? "";
      if (!clients.has(form.get("client_id") ?? "") || !refresh.delete(old)) return invalid();
      return json(response, 200, tokens());
    }
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const fits =
      code?.challenge === challenge &&
      code.redirect === form.get("redirect_uri") &&
      code.client === form.get("client_id");
    return fits ? json(response, 200, tokens()) : invalid();
  };

  const authorize = (response: ServerResponse, query: URLSearchParams) => {
    const client = query.get("client_id") ?? "";
    const redirect = query.get("redirect_uri") ?? "";
    const challenge = query.get("code_challenge") ?? "";
    const known = clients.get(client)?.includes(redirect) === true;
    if (!known || query.get("code_challenge_method") !== "S256" || challenge === "")
      return json(response, 400, { error: "invalid_request" });
    const code = randomBytes(16).toString("hex");
    codes.set(code, { challenge, redirect, client });
    const back = new URL(redirect);
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    back.searchParams.set("iss", origin);
    response.writeHead(302, { location: back.href }).end();
  };

  const mcp = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const [, bearer = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    if (!access.has(bearer)) {
      const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      return json(response, 401, { error: "invalid_token" }, { "www-authenticate": challenge });
    }
    if (request.method !== "POST") return json(response, 405, {});
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "guarded", version: "1" },
      },
      "tools/list": { tools: [{ name: "secret", description: "Tells it.", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "only for those who are logged in" }] },
    };
    return json(response, 200, { jsonrpc: "2.0", id, result: results[method] ?? {} });
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    asked.push(`${request.method} ${pathname}`);
    if ("x-team-key" in request.headers) keys.push(`${request.method} ${pathname}`);
    let body = "";
    for await (const chunk of request) body += String(chunk);
    if (pathname === "/mcp") return mcp(request, response, body);
    if (pathname === "/.well-known/oauth-protected-resource/mcp") {
      return json(response, 200, {
        resource: `${origin}/mcp`,
        authorization_servers: [authorizationServer?.origin ?? origin],
      });
    }
    if (pathname === "/.well-known/oauth-authorization-server") {
      return json(response, 200, {
        issuer: origin,
        authorization_endpoint: authorizationEndpoint ?? `${origin}/authorize`,
        token_endpoint: tokenEndpoint ?? `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: true,
      });
    }
    if (pathname === "/register") {
      const wanted = JSON.parse(body);
      const client_id = randomBytes(8).toString("hex");
      clients.set(client_id, wanted.redirect_uris);
      return json(response, 201, { ...wanted, client_id });
    }
    if (pathname === "/authorize") return authorize(response, searchParams);
    if (pathname === "/token") return token(response, new URLSearchParams(body));
    return json(response, 404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    asked,
    keys,
    expire: () => {
      access = new Set();
    },
    revoke: () => {
      refresh = new Set();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
