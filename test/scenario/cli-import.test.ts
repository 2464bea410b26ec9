/** `bough import` and `bough handoff` as a person uses them: questions on a terminal, and Ctrl+C in the middle. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, describe, expect, test } from "vitest";
import { layOutAgents } from "../support/agents-home.js";
import { TerminalProgram } from "../support/terminal.js";
import { makePlace, type Place, PROGRAM } from "./cli-support.js";

const terminals: TerminalProgram[] = [];

afterEach(() => {
  for (const terminal of terminals.splice(0)) terminal.kill();
});

function started({ cwd, env }: Place, args: readonly string[]): TerminalProgram {
  const known = Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const terminal = new TerminalProgram({
    command: process.execPath,
    args: [PROGRAM, ...args],
    cwd,
    env: Object.fromEntries(known),
  });
  terminals.push(terminal);
  return terminal;
}

/** A home in which five agents were used in this folder. */
function agentsPlace(): Place {
  const place = makePlace({ env: { LANG: "C.UTF-8" } });
  layOutAgents({ home: place.env.HOME as string, cwd: place.cwd });
  return place;
}

/** Every file below a folder of sessions, temporary ones included. */
function filesOf({ home }: Place): string[] {
  const root = join(home, "sessions");
  return existsSync(root)
    ? readdirSync(root, { recursive: true })
        .filter((name) => String(name).includes("jsonl"))
        .map(String)
    : [];
}

describe("bough import on a terminal", () => {
  test("lists what was found and says how to continue", async () => {
    const place = agentsPlace();
    const terminal = started(place, ["import"]);
    expect(await terminal.ends()).toBe(0);
    const screen = terminal.history;
    expect(screen).toMatch(/^id +title +agent +age +size/m);
    expect(screen).toMatch(/^700a8432 +Let a helper look at src\. +Claude Code +\S+ +5\d KB/m);
    expect(screen).toMatch(/^ses_e2190 +Scratch session +opencode /m);
    expect(screen).toContain("To import one: bough import <id>. To import all of them: bough import --here");
    expect(filesOf(place)).toEqual([]);
  });

  test("--all says how many they are, and Esc leaves everything as it is", async () => {
    const place = agentsPlace();
    const terminal = started(place, ["import", "--all"]);
    await terminal.shows("Enter imports them · Esc leaves it");
    expect(terminal.history).toMatch(/9 sessions of .*Claude Code.*, \d+ KB\./);
    terminal.press("esc");
    expect(await terminal.ends()).toBe(1);
    expect(terminal.history).toContain("Nothing was imported.");
    expect(filesOf(place)).toEqual([]);
  });

  test("--all imports them with Enter, and not with one from before the question", async () => {
    const place = agentsPlace();
    const terminal = started(place, ["import", "--all"]);
    terminal.press("enter");
    await terminal.shows("Enter imports them · Esc leaves it");
    expect(filesOf(place)).toEqual([]);
    await terminal.yieldNow();
    terminal.press("up", "enter");
    expect(await terminal.ends()).toBe(0);
    expect(terminal.history).toContain("9 sessions imported.");
    expect(filesOf(place)).toHaveLength(9);
  });

  test("Ctrl+C at the question ends it", async () => {
    const place = agentsPlace();
    const terminal = started(place, ["import", "--here"]);
    await terminal.shows("Enter imports them");
    terminal.press("ctrl+c");
    expect(await terminal.ends()).toBe(130);
    expect(filesOf(place)).toEqual([]);
  });

  test("Ctrl+C in the middle of a large transcript leaves nothing behind", async () => {
    const place = makePlace({ env: { LANG: "C.UTF-8" } });
    const transcript = join(place.env.HOME as string, "large.jsonl");
    writeLarge(transcript, place.cwd);
    const terminal = started(place, ["import", transcript]);
    await terminal.shows("Reading ");
    terminal.press("ctrl+c");
    expect(await terminal.ends()).toBe(130);
    expect(terminal.history).toContain("Stopped. Nothing was imported.");
    expect(filesOf(place)).toEqual([]);
  });
});

/** Large enough that its import takes some seconds. */
function writeLarge(path: string, cwd: string): void {
  const line = (i: number, role: "user" | "assistant"): string =>
    JSON.stringify({
      parentUuid: i === 0 ? null : uuid(i - 1),
      isSidechain: false,
      userType: "external",
      cwd,
      sessionId: "large",
      version: "2.1.325",
      type: role,
      message: role === "user" ? { role, content: `Question ${i} ${"x".repeat(500)}` } : answer(i),
      uuid: uuid(i),
      timestamp: new Date(Date.UTC(2026, 10, 15) + i).toISOString(),
    });
  const lines: string[] = [];
  for (let i = 0; i < 60_000; i++) lines.push(line(i, i % 2 === 0 ? "user" : "assistant"));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.join("\n")}\n`);
}

function answer(i: number): object {
  const content = [{ type: "text", text: "y".repeat(500) }];
  return { id: `msg_${i}`, type: "message", role: "assistant", model: "m", content, stop_reason: "end_turn" };
}

function uuid(i: number): string {
  return `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`;
}

describe("bough handoff on a terminal", () => {
  function lossy(place: Place): void {
    const sessions = join(place.home, "sessions", `--${place.cwd.replace(/^\//, "").replaceAll("/", "-")}--`);
    const session = SessionManager.create(place.cwd, sessions);
    session.appendMessage({ role: "user", content: "Where do we begin?", timestamp: 0 });
    session.appendModelChange("acme", "one");
    session.appendMessage({ role: "user", content: "And then?", timestamp: 0 });
    session.close();
  }

  const rollouts = ({ env }: Place) => existsSync(join(env.HOME as string, ".codex"));

  test("what would be lost is listed and asked; Esc writes nothing, Enter writes and says how to resume", async () => {
    const place = makePlace({ env: { LANG: "C.UTF-8" } });
    lossy(place);
    const refused = started(place, ["handoff", "codex"]);
    await refused.shows("Enter writes · Esc leaves it");
    expect(refused.history).toContain("a settings change: not written");
    refused.press("esc");
    expect(await refused.ends()).toBe(1);
    expect(refused.history).toContain("Nothing was written.");
    expect(rollouts(place)).toBe(false);
    const agreed = started(place, ["handoff", "codex"]);
    await agreed.shows("Enter writes");
    await agreed.yieldNow();
    agreed.press("enter");
    expect(await agreed.ends()).toBe(0);
    expect(agreed.history).toContain("To resume there: cd ");
    expect(rollouts(place)).toBe(true);
  });
});
