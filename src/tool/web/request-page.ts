/** One request to a server on the public internet: the address is looked up once, checked, and that one is used. */
import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { failureSentence, ToolFailure } from "../tool-failure.js";
import { addressKind } from "./public-address.js";

export interface RequestPageOptions {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** For tests: servers on this machine are allowed too. */
  readonly allowLoopback: boolean;
}

export type PageAnswer =
  | { readonly kind: "redirect"; readonly to: URL }
  | {
      readonly kind: "page";
      readonly status: number;
      readonly type: string;
      readonly charset: string | undefined;
      readonly body: Buffer;
      /** It was longer than may be read; this is its beginning. */
      readonly cut: boolean;
    };

/** Throws a `ToolFailure` with the reason. No cookies, no keys: the same request anyone could make. */
export async function requestPage(url: URL, options: RequestPageOptions): Promise<PageAnswer> {
  const addresses = await checkedAddresses(url.hostname, options);
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  // A name may lead elsewhere the next time it is looked up, so it is not looked up again.
  const known: LookupFunction = (_host, { all }, give) => {
    const [first] = addresses;
    if (all === true) give(null, [...addresses]);
    else give(null, first?.address ?? "", first?.family ?? 4);
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(url, {
      lookup: known,
      agent: false,
      signal: options.signal,
      headers: {
        accept: "text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.9,*/*;q=0.1",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "bough",
      },
    });
    asked.once("response", resolve);
    asked.once("error", (error) => reject(new ToolFailure(`Could not fetch ${url.href}: ${failureSentence(error)}`)));
    asked.end();
  });
  const { statusCode: status = 0, headers } = answer;
  if ([301, 302, 303, 307, 308].includes(status) && headers.location !== undefined) {
    answer.destroy();
    if (!URL.canParse(headers.location, url)) throw new ToolFailure(`${url.href} redirects to an invalid address`);
    return { kind: "redirect", to: new URL(headers.location, url) };
  }
  const [type = "", ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const charset = parameters
    .map((one) => /^\s*charset="?([\w.:-]+)"?\s*$/.exec(one)?.[1])
    .find((one) => one !== undefined);
  if (!isText(type.trim())) {
    answer.destroy();
    throw new ToolFailure(`${url.href} is ${type.trim().slice(0, 100)}, not text. Only text can be fetched.`);
  }
  const { body, cut } = await bodyOf(answer, { url, maxBytes: options.maxBytes });
  if (body.includes(0)) throw new ToolFailure(`${url.href} is not text. Only text can be fetched.`);
  return { kind: "page", status, type: type.trim(), charset, body, cut };
}

async function checkedAddresses(hostname: string, { allowLoopback, signal }: RequestPageOptions) {
  const host = hostname.replace(/^\[|\]$/g, "");
  let found: Awaited<ReturnType<typeof lookupAll>>;
  try {
    found = await lookupAll(host);
  } catch (error) {
    throw new ToolFailure(`Host not found: ${host} (${failureSentence(error)})`);
  }
  signal.throwIfAborted();
  for (const { address } of found) {
    const kind = addressKind(address);
    if (kind === "public" || (kind === "loopback" && allowLoopback)) continue;
    const what = kind === "loopback" ? "this machine" : "a private network";
    throw new ToolFailure(`Refused: ${host} leads to ${what}. web_fetch only reaches the public internet.`);
  }
  if (found.length === 0) throw new ToolFailure(`Host not found: ${host}`);
  return found;
}

function lookupAll(host: string) {
  return lookup(host, { all: true });
}

/** A server that does not say what it sends is given the chance that it is text. */
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

/** Counted after it is unpacked: a small answer can be a large page. */
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
