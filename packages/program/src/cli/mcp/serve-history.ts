/** `bough mcp`: serves the history of all sessions on standard input and output, until the client closes its end. */

import { boughHome } from "@bough/session/session/index.js";
import { errorText } from "@bough/session/text/index.js";
import { type AnswerOptions, History } from "@bough/workbench/history/index.js";
import { storedContents } from "@bough/workbench/store/door.js";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { SubcommandCall } from "../subcommand/subcommand.js";
import { historyServer } from "./history-server.js";

/** Milliseconds. The first answers wait for the index to be loaded or started; later ones hardly wait for updates. */
const FIRST_WAIT = 8_000;
const LATER_WAIT = 30;
const SEARCH = 50;
/** Larger messages are not requests. */
const MOST_MESSAGE = 1 << 20;

export async function run({ places, version, signal, now }: SubcommandCall): Promise<number> {
  if (process.stdin.isTTY === true) {
    process.stderr.write(
      "bough mcp: serving MCP on standard input and output. To add it to an agent, see docs/mcp.md\n",
    );
  }
  const history = new History();
  let isLoaded = false;
  const start = performance.now();
  // Failures are reported in the responses.
  void history.refresh().then(
    () => {
      isLoaded = true;
    },
    () => {
      isLoaded = true;
    },
  );
  const contents = storedContents(boughHome());
  const options = (): AnswerOptions => {
    const first = isLoaded ? 0 : FIRST_WAIT - (performance.now() - start);
    return { now, contents, timeouts: { refresh: Math.max(LATER_WAIT, first), search: SEARCH } };
  };
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MOST_MESSAGE });
  const handle = serveStdio(() => historyServer({ history, cwd: places.cwd, version, options }), {
    transport,
    onerror: (error) => void process.stderr.write(`bough mcp: ${errorText(error)}\n`),
  });
  try {
    await ended(signal);
  } finally {
    await handle.close();
    await history.close();
  }
  return 0;
}

/** The client closed its end, stopped reading, or this program was told to stop. */
function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    process.stdin.once("end", end).once("close", end).once("error", end);
    process.stdout.once("error", end).once("close", end);
  });
}
