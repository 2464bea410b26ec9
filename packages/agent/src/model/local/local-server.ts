import { record } from "../failure/failure-facts.js";

/** An address on this machine where a model server may be listening. */
export interface LocalServer {
  readonly provider: string;
  /** Without a path. */
  readonly origin: string;
  readonly kind: "ollama" | "lmstudio" | "llamacpp" | "vllm" | "openai";
  /** The base URL of a server from the settings. Default: `/v1` at the origin. */
  readonly baseUrl?: string;
}

export function baseUrlOf({ baseUrl, origin }: LocalServer): string {
  return baseUrl ?? `${origin}/v1`;
}

/** The default ports of these programs. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { provider: "ollama", origin: "http://127.0.0.1:11434", kind: "ollama" },
  { provider: "lmstudio", origin: "http://127.0.0.1:1234", kind: "lmstudio" },
  { provider: "llamacpp", origin: "http://127.0.0.1:8080", kind: "llamacpp" },
  { provider: "vllm", origin: "http://127.0.0.1:8000", kind: "vllm" },
];

/** The server at a provider's base URL, if it is one of these programs. */
export function localServer(provider: string, baseUrl: string | undefined): LocalServer | undefined {
  const known = LOCAL_SERVERS.find((server) => server.provider === provider);
  if (known === undefined || baseUrl === undefined || !URL.canParse(baseUrl)) return undefined;
  return { ...known, origin: new URL(baseUrl).origin };
}

/** Requests JSON from a server; undefined if there is none. Never throws. */
export type Ask = (url: string, init?: RequestInit) => Promise<unknown>;

/** Facts that a server reports about one of its models. Undefined means unknown. */
export interface LocalFacts {
  /** The window that the server uses now, in tokens, not that of the training. */
  readonly contextWindow?: number | undefined;
  readonly reasoning?: boolean | undefined;
  readonly images?: boolean | undefined;
  /** Whether `contextWindow` is the actual window, not a possible one. */
  readonly certain: boolean;
}

export function listOf(answer: unknown, field: string): Record<string, unknown>[] {
  const list = record(answer)[field];
  return Array.isArray(list) ? (list as unknown[]).map(record) : [];
}

/** The first value that is a valid number of tokens. */
export function tokensOf(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === "number" && Number.isSafeInteger(value) && value > 0);
}
