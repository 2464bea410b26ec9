/** `bough serve`: sessions of all agents in a browser, live and read-only, until it is stopped. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { compareBranches } from "@bough/agent/agent/internal.js";
import { openInBrowser } from "@bough/agent/mcp/index.js";
import { temporaryFolder, writeWhole } from "@bough/session/log/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { errorText, escapeXml } from "@bough/session/text/index.js";
import { compareFiles } from "@bough/workbench/checkpoint/index.js";
import { knownFilesPlace } from "@bough/workbench/interop/internal.js";
import { type RunningServer, type ServeServices, startServer } from "@bough/workbench/serve/index.js";
import { usageError } from "../../cli-error.js";
import { differenceJson } from "../files/diff.js";
import { filesPlaceOf } from "../files/opened-files.js";
import { pricesHere } from "../prices-here.js";
import { sessionArgument } from "../session-argument.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";

export const row: SubcommandRow = {
  name: "serve",
  usage: "[session]",
  summary: "Show sessions in a browser, live",
  details:
    "Starts a read-only server on this machine and prints a link to its page: sessions of all agents by project, each session with its tree as it grows, search across everything, and what it all cost. The link ends in a new secret at every start, and without it nothing is answered. Only this machine can reach the server, unless --host names another address, which needs TLS. Behind a tunnel or a reverse proxy, name its address with --origin. Sessions are shown as they are, secrets in them included. Ctrl+C stops it. See docs/serve.md.",
  flags: {
    open: { help: "open the page in a browser" },
    port: { value: "port", help: "listen on this port (default: a free one)" },
    host: { value: "address", help: "listen on this address (default 127.0.0.1); others need TLS" },
    "tls-cert": { value: "file", help: "certificate, in PEM" },
    "tls-key": { value: "file", help: "private key of the certificate, in PEM" },
    origin: {
      value: "origin",
      repeatable: true,
      help: "address at which a tunnel or proxy shows it: https://bough.example.net; repeatable",
    },
  },
  examples: [
    ["serve --open", "all sessions, in your browser"],
    ["serve 4f2a#lexer", "a link to an entry of a session"],
    ["serve --port 4711 --origin https://bough.example.net", "behind a tunnel or a reverse proxy"],
  ],
  json: '{ "url", "origin", "session": key or null, "pid" }, once it listens; url contains the secret.',
  args: { least: 0, most: 1 },
  completes: "sessions",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { args, flags, out, signal, places, now } = call;
  const home = boughHome();
  const wanted = args[0] === undefined ? undefined : await sessionArgument(args[0], places, { signal });
  const server = await startServer({
    home,
    now,
    signal,
    cache: knownFilesPlace(),
    priceOf: pricesHere(places.cwd),
    services: servicesHere(call),
    host: flags.text("host"),
    port: portOf(flags.text("port")),
    tls: tlsOf(call),
    origins: flags.all("origin").map(originOf),
    onFailure: (error) => out.notice(`bough: ${errorText(error)}`),
  });
  try {
    const key = wanted === undefined ? undefined : await server.keyOf(wanted.file, wanted.foreign?.foreign.id);
    if (wanted !== undefined && key === undefined) throw usageError("This session is not among those that are served");
    const url = server.link(key, wanted?.place);
    if (out.json) out.value({ url, origin: server.origin, session: key ?? null, pid: process.pid });
    else {
      out.line(url);
      if (out.isTerminal) out.notice("Read-only. Anyone with this link can read your sessions. Ctrl+C stops it.");
    }
    await waitUntilStopped(server, { call, url });
    return 0;
  } finally {
    await server.close();
  }
}

async function waitUntilStopped(
  { origin }: RunningServer,
  { call: { flags, signal, out }, url }: { readonly call: SubcommandCall; readonly url: string },
): Promise<void> {
  const remove = flags.isOn("open") ? openPage(url) : undefined;
  try {
    // A timer keeps the process alive no longer than needed.
    while (!signal.aborted) await setTimeout(LONG, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    remove?.();
  }
  if (out.isTerminal && !out.json) out.notice(`Stopped ${origin}`);
}

const LONG = 2 ** 31 - 1;

/** The browser gets the name of a file that only the user can read: a secret in its arguments would be in `ps`. */
function openPage(url: string): () => void {
  const { path, remove } = temporaryFolder("serve");
  const file = resolve(path, "open.html");
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${escapeXml(url)}"><title>Bough</title>\n`;
  writeWhole(file, page, { existing: "replace", durable: false });
  openInBrowser(pathToFileURL(file).href);
  return remove;
}

function servicesHere(call: SubcommandCall): ServeServices {
  return {
    compare: (session, tips) => compareBranches(session, tips),
    diff: async (session, { from, to }) => {
      const { blobs } = await filesPlaceOf(session, call);
      const found = await compareFiles(session.getSource(), { a: from, b: to }, { store: blobs, signal: call.signal });
      if (found === undefined) return { unread: [], skipped: [], files: [] };
      const { unread, skipped } = found;
      const files: object[] = [];
      for await (const difference of found.differences) files.push(differenceJson("patch")(difference));
      return { unread, skipped, files };
    },
  };
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw usageError(`--port needs a number up to 65535, not ${text}`);
  return port;
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || text.replace(/\/$/, "") !== url.origin) {
    throw usageError(`--origin needs a scheme and a name, not ${text}`, "For example https://bough.example.net");
  }
  return url.origin;
}

function tlsOf({
  flags,
  places: { cwd },
}: SubcommandCall): { readonly cert: string; readonly key: string } | undefined {
  const [cert, key] = [flags.text("tls-cert"), flags.text("tls-key")];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw usageError("TLS needs both --tls-cert and --tls-key");
  return { cert: readPem(resolve(cwd, cert)), key: readPem(resolve(cwd, key)) };
}

function readPem(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw usageError(`Cannot read ${path}: ${errorText(error)}`);
  }
}
