/** `createReadTool` and the others: our tools, for extensions to wrap or to point at files and shells elsewhere. */
import { isAbsolute, join, relative } from "node:path";
import { commandEnvironment } from "@bough/agent/tool/index.js";
import { CommandOutput, planEdits } from "@bough/agent/tool/internal.js";
import { defined } from "@bough/session/text/index.js";
import { truncateHead } from "../coding-agent/truncate.js";
import { piDetails } from "./pi-details.js";
import {
  type BuiltInName,
  builtInTool,
  type PiCall,
  type PiTool,
  type PiToolResult,
  piTool,
  runBuiltIn,
  toolOutputFolder,
} from "./pi-tool.js";
import type { BashOperations } from "./shell-operations.js";

type Params = Record<string, unknown>;

interface SpawnContext {
  readonly command: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

interface BashToolOptions {
  readonly operations?: BashOperations;
  readonly commandPrefix?: string;
  readonly spawnHook?: (context: SpawnContext) => SpawnContext;
}

interface FileOperations {
  readonly readFile?: (path: string) => Promise<Buffer>;
  readonly writeFile?: (path: string, content: string) => Promise<void>;
  readonly access?: (path: string) => Promise<void>;
  readonly mkdir?: (path: string) => Promise<void>;
  readonly detectImageMimeType?: (path: string) => Promise<string | null | undefined>;
  readonly exists?: (path: string) => Promise<boolean> | boolean;
  readonly stat?: (path: string) => Promise<{ isDirectory(): boolean }> | { isDirectory(): boolean };
  readonly readdir?: (path: string) => Promise<readonly string[]> | readonly string[];
  readonly glob?: (
    pattern: string,
    cwd: string,
    options: { readonly ignore: readonly string[]; readonly limit: number },
  ) => Promise<readonly string[]> | readonly string[];
}

interface FileToolOptions {
  readonly operations?: FileOperations;
}

const text = (content: string, details?: unknown): PiToolResult => ({
  content: [{ type: "text", text: content }],
  details,
});

/** Runs one of our tools, or does the work with the given operations. */
function fileTool(
  name: BuiltInName,
  elsewhere: (operations: FileOperations, path: string, params: Params) => Promise<PiToolResult>,
) {
  return (cwd: string, { operations }: FileToolOptions = {}): PiTool =>
    piTool({
      name,
      run: (params, call) => {
        if (operations === undefined) return runBuiltIn(builtInTool(name), { cwd, params, call });
        const path = String(params.path ?? ".");
        return elsewhere(operations, isAbsolute(path) ? path : join(cwd, path), params);
      },
    });
}

function needed<Name extends keyof FileOperations>(
  operations: FileOperations,
  name: Name,
): NonNullable<FileOperations[Name]> {
  const operation = operations[name];
  if (operation === undefined) throw new Error(`The operations of this tool lack ${name}`);
  return operation as NonNullable<FileOperations[Name]>;
}

export const createReadTool = fileTool("read", async (operations, path, params) => {
  await operations.access?.(path);
  const bytes = await needed(operations, "readFile")(path);
  const mimeType = await operations.detectImageMimeType?.(path);
  if (mimeType) {
    const image = { type: "image" as const, data: bytes.toString("base64"), mimeType };
    return { content: [{ type: "text", text: `Read image file [${mimeType}]` }, image], details: undefined };
  }
  const lines = bytes.toString("utf8").split("\n");
  const start = Math.max(0, Number(params.offset ?? 1) - 1);
  if (start >= lines.length)
    throw new Error(`Offset ${start + 1} is beyond the end of the file (${lines.length} lines)`);
  const end = params.limit === undefined ? lines.length : start + Number(params.limit);
  const truncation = truncateHead(lines.slice(start, end).join("\n"));
  if (!truncation.truncated) return text(truncation.content);
  const last = start + truncation.outputLines;
  const note = `[Lines ${start + 1}-${last} of ${lines.length}. Use offset=${last + 1} to continue]`;
  return text(`${truncation.content}\n\n${note}`, { truncation });
});

export const createWriteTool = fileTool("write", async (operations, path, params) => {
  const content = String(params.content ?? "");
  await operations.mkdir?.(join(path, ".."));
  await needed(operations, "writeFile")(path, content);
  return text(`Wrote ${Buffer.byteLength(content, "utf8")} bytes to ${String(params.path)}`);
});

export const createEditTool = fileTool("edit", async (operations, path, params) => {
  await operations.access?.(path);
  const before = (await needed(operations, "readFile")(path)).toString("utf8");
  const edits = (params.edits ?? []) as readonly { readonly oldText: string; readonly newText: string }[];
  const plan = planEdits(before, edits);
  if (plan.kind === "refused") throw new Error(`Edit ${plan.index + 1} of ${String(params.path)}: ${plan.reason}`);
  const after = plan.text;
  await needed(operations, "writeFile")(path, after);
  const { generateUnifiedPatch } = await import("../coding-agent/diffs.js");
  const patch = generateUnifiedPatch(String(params.path), before, after);
  return text(`Replaced ${edits.length} block(s) in ${String(params.path)}`, { diff: patch, patch });
});

export const createLsTool = fileTool("ls", async (operations, path, params) => {
  const names = await needed(operations, "readdir")(path);
  const shown: string[] = [];
  for (const name of [...names].sort().slice(0, Number(params.limit ?? 500))) {
    const isFolder = (await operations.stat?.(join(path, name)))?.isDirectory() ?? false;
    shown.push(isFolder ? `${name}/` : name);
  }
  return text(shown.length === 0 ? "(empty directory)" : shown.join("\n"));
});

export const createFindTool = fileTool("find", async (operations, path, params) => {
  const limit = Number(params.limit ?? 1000);
  const ignore = ["**/node_modules/**", "**/.git/**"];
  const found = await needed(operations, "glob")(String(params.pattern), path, { ignore, limit });
  const lines = found.slice(0, limit).map((name) => (isAbsolute(name) ? relative(path, name) : name));
  return text(lines.length === 0 ? "No files found matching pattern" : lines.join("\n"));
});

export const createGrepTool = fileTool("grep", () => {
  throw new Error("createGrepTool with operations is not available in Bough. Register your own tool instead");
});

export function createBashTool(cwd: string, options: BashToolOptions = {}): PiTool {
  const { operations, commandPrefix, spawnHook } = options;
  return piTool({
    name: "bash",
    run: async (params, call) => {
      const typed = String(params.command ?? "");
      const whole = commandPrefix === undefined ? typed : `${commandPrefix}\n${typed}`;
      const given = { command: whole, cwd, env: commandEnvironment(process.env) };
      const spawn = spawnHook?.(given) ?? given;
      const inputs = { ...params, command: spawn.command };
      if (operations === undefined) {
        return runBuiltIn(builtInTool("bash", { bash: { env: spawn.env } }), { cwd: spawn.cwd, params: inputs, call });
      }
      return runElsewhere(operations, { ...spawn, timeout: params.timeout, call });
    },
  });
}

const NEWLINE = 10;

async function runElsewhere(
  operations: BashOperations,
  run: SpawnContext & { readonly timeout: unknown; readonly call: PiCall },
): Promise<PiToolResult> {
  const { command, cwd, env, timeout, call } = run;
  const output = new CommandOutput({
    outputDir: toolOutputFolder(),
    callId: call.id,
    onUpdate: (update) => call.onUpdate?.(text(update.text)),
  });
  let isLineEnded = false;
  let exitCode: number | null;
  let finished: ReturnType<CommandOutput["finish"]>;
  try {
    const ended = await operations.exec(command, cwd, {
      onData: (data) => {
        output.add(Buffer.from(data));
        isLineEnded = data.at(-1) === NEWLINE;
      },
      signal: call.signal,
      env,
      timeout: typeof timeout === "number" ? timeout : undefined,
    });
    exitCode = ended.exitCode;
  } finally {
    finished = output.finish();
  }
  const content = finished.text === "" || !isLineEnded ? finished.text : `${finished.text}\n`;
  const shown = content === "" ? "(no output)" : content;
  if (exitCode !== 0) throw new Error(`${shown}\n\nCommand exited with code ${exitCode}`);
  const { truncated, totalBytes, fullOutputPath } = finished;
  const details = defined({ truncated, totalBytes, fullOutputPath });
  return text(shown, truncated ? piDetails("bash", details, content) : undefined);
}

/** The tools for changing code: read, bash, edit, write. */
export function createCodingTools(cwd: string): readonly PiTool[] {
  return [createReadTool(cwd), createBashTool(cwd), createEditTool(cwd), createWriteTool(cwd)];
}

export function createReadOnlyTools(cwd: string): readonly PiTool[] {
  return [createReadTool(cwd), createGrepTool(cwd), createFindTool(cwd), createLsTool(cwd)];
}
