/** Makes a tool of a server callable by the agent. */
import { isRecord, unlessAborted, withoutControls } from "@bough/session/text/index.js";
import { failureResult, type Tool, type ToolContext, type ToolResult } from "../../tool/index.js";
import { InvalidInput } from "../../tool/internal.js";
import { NO_TIMEOUT, type ServerConnection } from "../connection/server-connection.js";
import { inputProblems } from "./check-input.js";
import type { ServerTool } from "./listed-tools.js";
import { resultContent } from "./result-content.js";
import { runTask } from "./run-task.js";
import { TOOL_SEARCH } from "./tool-names.js";

const UPDATE_MS = 200;

/**
 * Never read-only: a server's claims about its tools cannot be trusted, so every call needs permission. Connects to the
 * server first if necessary; stopping a call also cancels it on the server.
 */
export function serverTool(
  listed: ServerTool,
  connection: () => ServerConnection | undefined,
  /** `schema`: for tools that the model does not have in its request, and may remember wrongly. */
  { checks }: { readonly checks: "object" | "schema" } = { checks: "object" },
): Tool {
  const { name, server, tool, description, parameters } = listed;
  return {
    name,
    description,
    parameters,
    readOnly: false,
    server: { name: server, tool },
    label: `${tool} (${server})`,
    check: (input) => {
      if (!isRecord(input)) return { ok: false, reason: "Expected an object" };
      const problems = checks === "schema" ? inputProblems(parameters, input) : [];
      return problems.length === 0 ? { ok: true, value: input } : new InvalidInput(wrongInput(listed, problems));
    },
    execute: async (input, context) => {
      const found = connection();
      if (found === undefined) return failureResult(`The MCP server ${server} is no longer configured.`);
      try {
        return await callTool(found, { listed, input: input as Record<string, unknown>, context });
      } catch (error) {
        if (context.signal.aborted) throw error;
        const failure = found.requestFailure(error);
        const { message, hint } = failure;
        return failureResult(hint === undefined ? message : `${message}. ${hint}`);
      }
    },
  };
}

const LONGEST_SHOWN_SCHEMA = 4_000;

/** With the schema, so that the model can correct its call without searching again. */
function wrongInput({ server, tool, parameters }: ServerTool, problems: readonly string[]): string {
  const schema = JSON.stringify(parameters);
  const shown =
    schema.length <= LONGEST_SHOWN_SCHEMA
      ? `The schema of its input: ${schema}`
      : `To see its schema, search for ${server}/${tool} with ${TOOL_SEARCH}.`;
  return `Invalid input for ${tool} of ${server}: ${problems.join("; ")}. ${shown}`;
}

interface Call {
  readonly listed: ServerTool;
  readonly input: Record<string, unknown>;
  readonly context: ToolContext;
}

async function callTool(connection: ServerConnection, { listed, input, context }: Call): Promise<ToolResult> {
  const { tool } = listed;
  const { signal, hold, onUpdate } = context;
  const client = await unlessAborted(connection.client(), signal);
  const { name, settings } = connection.server;
  const clock = idleClock(settings.timeoutMs);
  let last = Number.NEGATIVE_INFINITY;
  const holdAll = () => {
    const ends = [clock.hold(), hold?.()];
    return () => {
      for (const end of ends) end?.();
    };
  };
  try {
    const either = AbortSignal.any([signal, clock.signal]);
    const answer = await connection.holding(holdAll, () => {
      if (listed.task === true) {
        const onStatus = (text: string) => {
          clock.hold()();
          onUpdate({ text });
        };
        return runTask(client, { name: tool, input, signal: either, onStatus });
      }
      return client.callTool(
        { name: tool, arguments: input },
        {
          signal: either,
          timeout: NO_TIMEOUT,
          onprogress: ({ progress, total, message }) => {
            clock.hold()();
            const now = performance.now();
            if (now - last < UPDATE_MS) return;
            last = now;
            const amount = total === undefined ? `${progress}` : `${progress}/${total}`;
            onUpdate({ text: [amount, withoutControls(message ?? "").slice(0, 200)].join(" ").trim() });
          },
        },
      );
    });
    return resultContent(answer, { folder: context.outputDir, name: `mcp-${name}-${context.callId}` });
  } catch (error) {
    if (!clock.signal.aborted || signal.aborted) throw error;
    throw new Error(`${tool} made no progress for ${(settings.timeoutMs ?? 0) / 1_000} seconds and was stopped`);
  } finally {
    clock.end();
  }
}

/** Aborts its signal after this time without a sign of life. Without a limit, never. */
function idleClock(limitMs: number | undefined) {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let held = 0;
  const start = () => {
    if (limitMs !== undefined && held === 0) timer = setTimeout(() => late.abort(), limitMs);
  };
  start();
  return {
    signal: late.signal,
    hold: () => {
      held += 1;
      clearTimeout(timer);
      return () => {
        held -= 1;
        start();
      };
    },
    end: () => {
      held = Number.POSITIVE_INFINITY;
      clearTimeout(timer);
    },
  };
}
