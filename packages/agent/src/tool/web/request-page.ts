/** One request to a public server: looks its address up once, checks it, and connects to exactly that address. */
import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { failureSentence, ToolFailure } from "../tool-failure.js";
import { addressKind } from "./public-address.js";

/** Returns all addresses of a host name. */
export type LookupAll = (host: string) => Promise<readonly LookupAddress[]>;

const lookupAll: LookupAll = (host) => systemLookup(host, { all: true });

export interface RequestPageOptions {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** For tests: also allow servers on this machine. */
  readonly allowLoopback: boolean;
  /** The system's DNS lookup by default. */
  readonly lookup?: LookupAll | undefined;
  /** Where to find the proxy settings; `process.env` by default. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

export type PageAnswer =
  | { readonly kind: "redirect"; readonly to: URL }
  | {
      readonly kind: "page";
      readonly status: number;
      readonly type: string;
      readonly charset: string | undefined;
      readonly body: Buffer;
      /** Whether the body was longer than `maxBytes` and is truncated. */
      readonly cut: boolean;
    };

/** A response, direct or through a proxy. */
interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** The decoded body, up to the limit; ends the connection. */
  readonly body: () => Promise<{ readonly body: Buffer; readonly cut: boolean }>;
  readonly discard: () => void;
}

const HEADERS = {
  accept: "text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.9,*/*;q=0.1",
  "accept-encoding": "gzip, deflate, br",
  "user-agent": "bough",
} as const;

/** Throws a `ToolFailure` with the reason. Sends no cookies and no credentials. */
export async function requestPage(url: URL, options: RequestPageOptions): Promise<PageAnswer> {
  const { env = process.env } = options;
  const { proxiedFetch, proxyOf } = await import("../../model/internal.js");
  const isProxied = proxyOf(url, env) !== undefined;
  const addresses = await checkedAddresses(url.hostname, { ...options, isProxied });
  const answer = isProxied
    ? await proxiedAnswer(url, { ...options, fetch: proxiedFetch(env) })
    : await directAnswer(url, addresses, options);
  const { status } = answer;
  const location = answer.header("location");
  if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) {
    answer.discard();
    if (!URL.canParse(location, url)) throw new ToolFailure(`${url.href} redirects to an invalid address`);
    return { kind: "redirect", to: new URL(location, url) };
  }
  const [type = "", ...parameters] = (answer.header("content-type") ?? "").toLowerCase().split(";");
  const charset = parameters
    .map((one) => /^\s*charset="?([\w.:-]+)"?\s*$/.exec(one)?.[1])
    .find((one) => one !== undefined);
  if (!isText(type.trim())) {
    answer.discard();
    throw new ToolFailure(`${url.href} is ${type.trim().slice(0, 100)}, not text. Only text can be fetched.`);
  }
  const { body, cut } = await answer.body();
  if (body.includes(0)) throw new ToolFailure(`${url.href} is not text. Only text can be fetched.`);
  return { kind: "page", status, type: type.trim(), charset, body, cut };
}

type Addresses = Awaited<ReturnType<LookupAll>>;

async function directAnswer(url: URL, addresses: Addresses, options: RequestPageOptions): Promise<Answer> {
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  // A second lookup could return a different, unchecked address, so use the checked ones.
  const checkedLookup: LookupFunction = (_host, { all }, give) => {
    const [first] = addresses;
    if (all === true) give(null, [...addresses]);
    else give(null, first?.address ?? "", first?.family ?? 4);
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(url, { lookup: checkedLookup, agent: false, signal: options.signal, headers: HEADERS });
    asked.once("response", resolve);
    asked.once("error", (error) => reject(new ToolFailure(`Could not fetch ${url.href}: ${failureSentence(error)}`)));
    asked.end();
  });
  return {
    status: answer.statusCode ?? 0,
    header: (name) => [answer.headers[name]].flat()[0],
    body: () => bodyOf(answer, { url, maxBytes: options.maxBytes }),
    discard: () => answer.destroy(),
  };
}

/** The proxy does its own lookup, which may differ from the one checked here: see docs/decisions/0041. */
async function proxiedAnswer(
  url: URL,
  { fetch, signal, maxBytes }: RequestPageOptions & { readonly fetch: typeof globalThis.fetch },
): Promise<Answer> {
  const failed = (error: unknown): ToolFailure => {
    const reason = error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
    return new ToolFailure(`Could not fetch ${url.href}: ${failureSentence(reason)}`);
  };
  let response: Response;
  try {
    response = await fetch(url, { redirect: "manual", signal, headers: HEADERS });
  } catch (error) {
    signal.throwIfAborted();
    throw failed(error);
  }
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: async () => {
      const chunks: Uint8Array[] = [];
      let size = 0;
      try {
        for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
          chunks.push(chunk);
          size += chunk.length;
          if (size > maxBytes) break;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw failed(error);
      }
      return { body: Buffer.concat(chunks).subarray(0, maxBytes), cut: size > maxBytes };
    },
    discard: () => void response.body?.cancel().catch(() => {}),
  };
}

/** Names that no public server has: this machine, a local network, or no domain. */
const LOCAL_NAME =
  /^[^.]*$|(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)\.?$/i;

async function checkedAddresses(
  hostname: string,
  { allowLoopback, signal, isProxied, lookup = lookupAll }: RequestPageOptions & { readonly isProxied: boolean },
): Promise<Addresses> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const refused = (what: string) =>
    new ToolFailure(`Refused: ${host} resolves to ${what}. web_fetch only reaches the public internet.`);
  let found: Addresses;
  try {
    found = await lookup(host);
  } catch (error) {
    // Behind a proxy, public names often cannot be resolved locally; the proxy resolves them.
    if (isProxied && !LOCAL_NAME.test(host)) return [];
    if (isProxied) throw refused("a private network");
    throw new ToolFailure(`Host not found: ${host} (${failureSentence(error)})`);
  }
  signal.throwIfAborted();
  for (const { address } of found) {
    const kind = addressKind(address);
    if (kind === "public" || (kind === "loopback" && allowLoopback)) continue;
    throw refused(kind === "loopback" ? "this machine" : "a private network");
  }
  if (found.length === 0 && !isProxied) throw new ToolFailure(`Host not found: ${host}`);
  return found;
}

/** A response without a content type may be text. */
function isText(type: string): boolean {
  return (
    type === "" ||
    /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml|javascript|ecmascript|yaml|toml|x-ndjson|xhtml))$/.test(type)
  );
}

const CODINGS = new Map<string, () => NodeJS.ReadWriteStream>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

interface BodyOptions {
  readonly url: URL;
  readonly maxBytes: number;
}

/** The limit applies to the decompressed size: a small response can be a huge page. */
async function bodyOf(answer: IncomingMessage, { url, maxBytes }: BodyOptions) {
  const coding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const unpack = CODINGS.get(coding);
  if (unpack === undefined && coding !== "identity" && coding !== "")
    throw new ToolFailure(`${url.href} uses the unknown encoding ${coding.slice(0, 40)}`);
  const stream = unpack === undefined ? answer : answer.pipe(unpack());
  const broken = new Promise<never>((_, reject) => answer.once("error", reject));
  broken.catch(() => undefined);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    const read = async () => {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        size += chunk.length;
        if (size > maxBytes) return;
      }
    };
    await Promise.race([read(), broken]);
  } catch (error) {
    throw new ToolFailure(`Could not read ${url.href}: ${failureSentence(error)}`);
  } finally {
    answer.destroy();
  }
  const whole = Buffer.concat(chunks);
  return { body: whole.subarray(0, maxBytes), cut: whole.length > maxBytes };
}
