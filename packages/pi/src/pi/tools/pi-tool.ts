/** One of our tools in the form that pi defines. */
import { join } from "node:path";
import { type CreateToolsOptions, createTools, type Tool, type ToolResult } from "@bough/agent/tool/index.js";
import type { ImageBlock, TextBlock } from "@bough/session/entry/index.js";
import { contentText } from "@bough/session/entry/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { Text } from "@earendil-works/pi-tui";
import type { PiTheme } from "../pi-theme.js";
import { piDetails } from "./pi-details.js";

export interface PiToolResult {
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly details: unknown;
  readonly terminate?: boolean;
  readonly usage?: unknown;
}

export type PiToolUpdate = (partial: PiToolResult) => void;

/** pi calls this a tool definition. An `AgentTool` is the same without the context. */
export interface PiTool {
  readonly name: string;
  readonly label?: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly promptSnippet?: string;
  readonly promptGuidelines?: readonly string[];
  readonly executionMode?: "sequential" | "parallel";
  readonly renderShell?: "default" | "self";
  readonly prepareArguments?: (input: unknown) => unknown;
  execute(
    toolCallId: string,
    params: never,
    signal?: AbortSignal,
    onUpdate?: PiToolUpdate,
    ctx?: never,
  ): Promise<PiToolResult> | PiToolResult;
  readonly renderCall?: (args: never, theme: PiTheme, context: never) => unknown;
  readonly renderResult?: (result: never, options: never, theme: PiTheme, context: never) => unknown;
}

export type BuiltInName = "read" | "write" | "edit" | "bash" | "grep" | "find" | "ls";

const SNIPPETS: Readonly<Record<BuiltInName, string>> = {
  read: "Read files",
  write: "Create files or replace them",
  edit: "Change parts of files",
  bash: "Run shell commands",
  grep: "Search file contents",
  find: "Find files by name",
  ls: "List folders",
};

export function builtInTool(name: BuiltInName, options: CreateToolsOptions = {}): Tool {
  return createTools(options).find((tool) => tool.name === name) as Tool;
}

interface PiToolParts {
  readonly name: BuiltInName;
  /** Does the work, and throws on failure. */
  readonly run: (params: Record<string, unknown>, call: PiCall) => Promise<PiToolResult>;
}

export interface PiCall {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly onUpdate: PiToolUpdate | undefined;
}

/** One of our tools under pi's contract: it throws on failure, and components draw it. */
export function piTool({ name, run }: PiToolParts): PiTool {
  const { description, parameters } = builtInTool(name);
  return {
    name,
    label: name,
    description,
    parameters,
    promptSnippet: SNIPPETS[name],
    promptGuidelines: [],
    execute: (id, params, signal = new AbortController().signal, onUpdate) =>
      run(params as Record<string, unknown>, { id, signal, onUpdate }),
    renderCall: (args, theme) => new Text(callLine(name, args as Record<string, unknown>, theme), 0, 0),
    renderResult: (result, options, theme) => new Text(resultText(result, options, theme), 0, 0),
  };
}

/** Where output that is too long is saved. */
export function toolOutputFolder(): string {
  return join(boughHome(), "output", "extensions");
}

/** Runs one of our tools. It asks no permission, because the agent asked before calling the extension's tool. */
export async function runBuiltIn(
  tool: Tool,
  { cwd, params, call }: { readonly cwd: string; readonly params: Record<string, unknown>; readonly call: PiCall },
): Promise<PiToolResult> {
  const checked = tool.check(params);
  if (!checked.ok) throw new Error(checked.reason);
  const result: ToolResult = await tool.execute(checked.value, {
    cwd,
    callId: call.id,
    signal: call.signal,
    onUpdate: ({ text, details }) => call.onUpdate?.({ content: [{ type: "text", text }], details }),
    permit: async () => ({ allowed: true }),
    outputDir: toolOutputFolder(),
  });
  if (result.isError === true) throw new Error(contentText(result.content) || `${tool.name} failed`);
  return { content: result.content, details: piDetails(tool.name, result.details, result.content) };
}

function callLine(name: BuiltInName, args: Record<string, unknown>, theme: PiTheme): string {
  const subject = args?.command ?? args?.pattern ?? args?.path ?? "";
  const shown = name === "bash" ? `$ ${String(subject)}` : String(subject);
  return `${theme.fg("toolTitle", theme.bold(name))} ${theme.fg("accent", shown)}`;
}

const LINES_SHOWN = 10;

function resultText(result: { content?: unknown }, options: { expanded?: boolean }, theme: PiTheme): string {
  const lines = contentText(result?.content).split("\n");
  const shown = options?.expanded === true ? lines : lines.slice(0, LINES_SHOWN);
  const more = lines.length - shown.length;
  const text = shown.map((line) => theme.fg("toolOutput", line)).join("\n");
  return more > 0 ? `${text}\n${theme.fg("muted", `... ${more} more lines`)}` : text;
}
