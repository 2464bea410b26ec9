/** Writes sessions of the table as Claude Code and Codex do. */
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TableAttempt, TableSession } from "./attempts-table.test-support.js";

export interface ForeignMade {
  readonly id: string;
  readonly path: string;
}

interface ForeignOptions {
  readonly home: string;
  readonly cwd: string;
  readonly now: () => Date;
}

/** Every attempt but the last is abandoned by going back in the conversation. */
export function writeClaudeSession({ title, attempts }: TableSession, { home, cwd, now }: ForeignOptions): ForeignMade {
  const id = randomUUID();
  const lines: string[] = [];
  let parent: string | null = null;
  const record = (type: "user" | "assistant", content: unknown, extra: object = {}): string => {
    const uuid = randomUUID();
    const common = {
      parentUuid: parent,
      isSidechain: false,
      userType: "external",
      cwd,
      sessionId: id,
      version: "2.1.100",
    };
    const answer = {
      id: `msg_${uuid}`,
      type: "message",
      model: "claude-sonnet-4-5",
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const message = { role: type, content, ...(type === "assistant" ? answer : {}) };
    lines.push(JSON.stringify({ ...common, type, uuid, timestamp: now().toISOString(), message, ...extra }));
    parent = uuid;
    return uuid;
  };
  const say = (text: string) => record("assistant", [{ type: "text", text }]);
  const tool = (name: string, input: object, result: { readonly output: string; readonly isError: boolean }) => {
    const call = `toolu_${randomUUID()}`;
    record("assistant", [{ type: "tool_use", id: call, name, input }]);
    record("user", [{ type: "tool_result", tool_use_id: call, content: result.output, is_error: result.isError }]);
  };
  record("user", `Look at this project first: ${title.toLowerCase()}`);
  const base = say("I have read the files.");
  for (const { prompt, file, fate, said = "", answer } of attempts) {
    parent = base;
    record("user", prompt);
    if (fate === "tool-error") {
      tool("Edit", { file_path: file, old_string: "a", new_string: "b" }, { output: said, isError: true });
      continue;
    }
    tool("Edit", { file_path: file, old_string: "a", new_string: "b" }, { output: `Updated ${file}`, isError: false });
    const failed = fate.startsWith("failed");
    const output = failed ? `Exit code 1\n${said}` : "12 passed";
    tool("Bash", { command: "pytest -q", description: "Run tests" }, { output, isError: failed });
    say(answer ?? (failed ? "The tests fail." : "Done."));
  }
  const path = join(home, ".claude", "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"), `${id}.jsonl`);
  return { id, path: writeLines(path, lines) };
}

/** A rollback undoes the attempt before it. */
export function writeCodexSession({ title, attempts }: TableSession, { home, cwd, now }: ForeignOptions): ForeignMade {
  const id = randomUUID();
  const lines: string[] = [];
  const start = now().toISOString();
  const line = (type: string, payload: object) =>
    void lines.push(JSON.stringify({ timestamp: now().toISOString(), type, payload }));
  let turn = 0;
  const ask = (text: string) => {
    turn += 1;
    line("event_msg", { type: "task_started", turn_id: `turn-${turn}`, model_context_window: 200_000 });
    line("turn_context", { turn_id: `turn-${turn}`, cwd, approval_policy: "on-request", model: "gpt-5-codex" });
    line("response_item", { type: "message", role: "user", content: [{ type: "input_text", text }] });
    line("event_msg", { type: "user_message", message: text, images: [] });
  };
  const say = (text: string) => {
    line("response_item", { type: "message", role: "assistant", content: [{ type: "output_text", text }] });
    line("event_msg", { type: "agent_message", message: text });
    line("event_msg", { type: "task_complete", turn_id: `turn-${turn}`, last_agent_message: text });
  };
  line("session_meta", {
    id,
    timestamp: start,
    cwd,
    originator: "codex_cli_rs",
    cli_version: "0.100.0",
    source: "cli",
  });
  ask(`Look at this project first: ${title.toLowerCase()}`);
  say("I have read the files.");
  for (const [at, attempt] of attempts.entries()) {
    if (at > 0) line("event_msg", { type: "thread_rolled_back", num_turns: 1 });
    ask(attempt.prompt);
    codexWork(attempt, { line, say, number: at });
  }
  const day = join(home, ".codex", "sessions", ...start.slice(0, 10).split("-"));
  return { id, path: writeLines(join(day, `rollout-${start.slice(0, 19).replaceAll(":", "-")}-${id}.jsonl`), lines) };
}

interface CodexParts {
  readonly line: (type: string, payload: object) => void;
  readonly say: (text: string) => void;
  readonly number: number;
}

function codexWork({ file, fate, said = "", answer }: TableAttempt, { line, say, number }: CodexParts): void {
  const patch = `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`;
  line("response_item", { type: "custom_tool_call", call_id: `p${number}`, name: "apply_patch", input: patch });
  line("response_item", {
    type: "custom_tool_call_output",
    call_id: `p${number}`,
    output: "Success. Updated the following files",
  });
  const failed = fate.startsWith("failed");
  const input = JSON.stringify({ cmd: "go test ./..." });
  line("response_item", { type: "function_call", call_id: `c${number}`, name: "exec_command", arguments: input });
  const output = `Process exited with code ${failed ? 1 : 0}\nOutput:\n${failed ? said : "ok"}`;
  line("response_item", { type: "function_call_output", call_id: `c${number}`, output });
  say(answer ?? (failed ? "It fails." : "Done."));
}

function writeLines(path: string, lines: readonly string[]): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}
