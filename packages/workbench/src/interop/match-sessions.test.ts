import { expect, test } from "vitest";
import type { AgentName, ForeignSession } from "./contract.js";
import { matchSessions } from "./match-sessions.js";

function session(agent: AgentName, id: string, title?: string): ForeignSession {
  const [path, now] = [`/a/${id}.jsonl`, new Date(0)];
  return { agent, path, files: [path], id, cwd: "", title, created: now, modified: now, size: 1 };
}

const SESSIONS = [
  session("codex", "01a1-first", "Fix the lexer"),
  session("codex", "01a1-second", "01a1-first"),
  session("claude-code", "01a1-third", "codex: a comparison"),
];

test.each([
  ["an id before a title", "01a1-first", ["01a1-first"]],
  ["a title, whatever its case", "fix the LEXER", ["01a1-first"]],
  ["the start of an id", "01a1", ["01a1-first", "01a1-second", "01a1-third"]],
  ["the start of an id of one agent", "codex:01a1", ["01a1-first", "01a1-second"]],
  ["a title of one agent", "codex:Fix the lexer", ["01a1-first"]],
  ["a title that begins like an agent", "codex: a comparison", ["01a1-third"]],
  ["too short a start", "01a", []],
  ["an id of another agent", "gemini:01a1-first", []],
])("%s", (_what, wanted, ids) => {
  expect(matchSessions(SESSIONS, wanted).map(({ id }) => id)).toEqual(ids);
});
