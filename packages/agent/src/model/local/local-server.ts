import { record } from "../failure/failure-facts.js";

/** A place on this machine where a server may be listening. */
export interface LocalServer {
  readonly provider: string;
  /** Without a path. */
  readonly origin: string;
  readonly kind: "ollama" | "lmstudio" | "llamacpp" | "vllm" | "openai";
}

/** The ports these programs listen on unless told otherwise. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { provider: "ollama", origin: "http://127.0.0.1:11434", kind: "ollama" },
  { provider: "lmstudio", origin: "http://127.0.0.1:1234", kind: "lmstudio" },
  { provider: "llamacpp", origin: "http://127.0.0.1:8080", kind: "llamacpp" },
  { provider: "vllm", origin: "http://127.0.0.1:8000", kind: "vllm" },
];

/** The server behind a base URL of one of these programs; undefined for all other providers. */
export function localServer(provider: string, baseUrl: string | undefined): LocalServer | undefined {
  const known = LOCAL_SERVERS.find((server) => server.provider === provider);
  if (known === undefined || baseUrl === undefined || !URL.canParse(baseUrl)) return undefined;
  return { ...known, origin: new URL(baseUrl).origin };
}

/** Asks a server and answers its JSON; undefined if there is none. Never throws. */
export type Ask = (url: string, init?: RequestInit) => Promise<unknown>;

/** What a server says about one of its models. Undefined is unknown. */
export interface LocalFacts {
  /** Tokens the server gives the model now, not those it was trained with. */
  readonly contextWindow?: number | undefined;
  readonly reasoning?: boolean | undefined;
  readonly images?: boolean | undefined;
  /** Whether `contextWindow` is what is in use, and not what could be. */
  readonly certain: boolean;
}

export function listOf(answer: unknown, field: string): Record<string, unknown>[] {
  const list = record(answer)[field];
  return Array.isArray(list) ? (list as unknown[]).map(record) : [];
}

/** The first of them that is a number of tokens. */
export function tokensOf(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === "number" && Number.isSafeInteger(value) && value > 0);
}
