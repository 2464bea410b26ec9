/** A key from signing in with a browser, for providers that offer this to every program: PKCE, without a secret of ours. */
import { createHash, randomBytes } from "node:crypto";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import { ModelError } from "../model-error.js";
import { boundedText } from "../network/bounded-text.js";

/** Receives the browser's redirect on this machine. */
export interface SignInRedirect {
  readonly url: string;
  /** Resolves with the parameters of the redirect that has the right state. */
  readonly answer: (options: { readonly signal: AbortSignal }) => Promise<URLSearchParams>;
  readonly close: () => void;
}

export interface BrowserSignIn {
  /** Listens for a redirect whose path ends in this state. */
  readonly listen: (state: string) => Promise<SignInRedirect>;
  /** Shows the page at this URL. */
  readonly open: (url: string) => void;
  readonly signal: AbortSignal;
}

interface Service {
  readonly provider: string;
  readonly baseUrl: string;
  /** Follows no redirect to another address. */
  readonly fetch: typeof globalThis.fetch;
}

/** Providers with such a sign-in. */
export const BROWSER_SIGN_INS: readonly string[] = ["openrouter"];

const LIMIT_MS = 5 * 60_000;
const MOST_BYTES = 64 << 10;

/** Throws `login-failed`, with nothing of what the server said: it could hold the key. */
export async function browserKey(service: Service, { listen, open, signal }: BrowserSignIn): Promise<string> {
  const { provider, baseUrl } = service;
  const verifier = randomBytes(32).toString("base64url");
  const redirect = await listen(randomBytes(24).toString("base64url"));
  const ending = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  try {
    const page = new URL("/auth", baseUrl);
    page.searchParams.set("callback_url", redirect.url);
    page.searchParams.set("code_challenge", createHash("sha256").update(verifier).digest("base64url"));
    page.searchParams.set("code_challenge_method", "S256");
    open(page.href);
    const answer = await redirect.answer({ signal: ending });
    const code = answer.get("code");
    if (code === null || code === "") throw failed(provider, "the browser came back without a code");
    return await exchanged(service, { code, verifier, signal: ending });
  } finally {
    redirect.close();
  }
}

async function exchanged(
  { provider, baseUrl, fetch }: Service,
  { code, verifier, signal }: { readonly code: string; readonly verifier: string; readonly signal: AbortSignal },
): Promise<string> {
  const body = JSON.stringify({ code, code_verifier: verifier, code_challenge_method: "S256" });
  let text: string | undefined;
  try {
    const headers = { "content-type": "application/json", accept: "application/json" };
    const response = await fetch(`${baseUrl}/auth/keys`, { method: "POST", headers, body, signal });
    if (!response.ok) {
      await response.body?.cancel();
      throw failed(provider, `the code was refused (${response.status})`);
    }
    text = await boundedText(response, MOST_BYTES);
  } catch (cause) {
    if (cause instanceof ModelError) throw cause;
    throw failed(provider, "the code could not be exchanged for a key", cause);
  }
  const answer = text === undefined ? undefined : parsedJson(text);
  const key = isRecord(answer) ? answer.key : undefined;
  if (typeof key !== "string" || !/^\S{8,500}$/.test(key)) throw failed(provider, "the answer has no key");
  return key;
}

function failed(provider: string, reason: string, cause?: unknown): ModelError {
  return new ModelError("login-failed", `Could not sign in to ${provider}: ${reason}`, {
    data: { provider },
    hint: `Try again, or enter a key: bough login ${provider}`,
    ...(cause === undefined ? {} : { cause }),
  });
}
