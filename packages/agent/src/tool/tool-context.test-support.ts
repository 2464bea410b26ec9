import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { type CreateToolsOptions, createTools } from "./create-tools.js";
import type { PermissionDecision, PermissionRequest, ToolContext, ToolResult, ToolUpdate } from "./tool.js";

export interface Workshop {
  /** Real path of the working directory. */
  readonly cwd: string;
  /** A folder next to it, outside. */
  readonly outside: string;
  readonly outputDir: string;
  /** All questions asked so far. */
  readonly asked: PermissionRequest[];
  readonly updates: ToolUpdate[];
  put(path: string, content: string | Buffer): string;
  call(tool: string, input: unknown, options?: CallOptions): Promise<ToolResult>;
  /** The text of the result; throws if the outcome is not the expected one. */
  text(tool: string, input: unknown, options?: CallOptions): Promise<string>;
  failure(tool: string, input: unknown, options?: CallOptions): Promise<string>;
}

export interface CallOptions {
  readonly callId?: string;
  readonly signal?: AbortSignal;
  readonly decision?: PermissionDecision;
  readonly permit?: ToolContext["permit"];
  readonly onUpdate?: (update: ToolUpdate) => void;
  readonly tools?: CreateToolsOptions;
}

/**
 * A working directory with real files. Questions are answered with yes unless a call sets another decision; those about
 * leaving the sandbox with no.
 */
export function workshop(): Workshop {
  const base = realpathSync(tempFolder());
  const cwd = join(base, "work");
  const outside = join(base, "outside");
  const outputDir = join(base, "outputs");
  mkdirSync(cwd);
  mkdirSync(outside);
  const asked: PermissionRequest[] = [];
  const updates: ToolUpdate[] = [];
  let calls = 0;

  const call = async (name: string, input: unknown, options: CallOptions = {}): Promise<ToolResult> => {
    const tool = createTools(options.tools).find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    calls++;
    const context: ToolContext = {
      cwd,
      callId: options.callId ?? `call_${calls}`,
      signal: options.signal ?? new AbortController().signal,
      onUpdate: (update) => {
        updates.push(update);
        options.onUpdate?.(update);
      },
      permit: async (request) => {
        asked.push(request);
        const standard = request.blocked === undefined && request.movedTo === undefined ? YES : NO;
        return options.permit?.(request) ?? options.decision ?? standard;
      },
      outputDir,
    };
    return tool.execute(input, context);
  };
  const expected = async (outcome: boolean, parameters: Parameters<Workshop["call"]>): Promise<string> => {
    const result = await call(...parameters);
    const text = result.content.map((block) => (block.type === "text" ? block.text : `<${block.mimeType}>`)).join("\n");
    if ((result.isError === true) !== outcome) throw new Error(`unexpected outcome: ${text}`);
    return text;
  };
  return {
    cwd,
    outside,
    outputDir,
    asked,
    updates,
    put: (path, content) => {
      const full = join(cwd, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    call,
    text: (...parameters) => expected(false, parameters),
    failure: (...parameters) => expected(true, parameters),
  };
}

const YES: PermissionDecision = { allowed: true };
export const NO: PermissionDecision = { allowed: false, reason: "The user said no." };
