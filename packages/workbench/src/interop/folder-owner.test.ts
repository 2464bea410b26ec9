import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { folderOwner } from "./folder-owner.js";

let home: string;

beforeEach(() => {
  home = tempFolder();
  vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
});

afterEach(() => {
  vi.unstubAllEnvs();
});

function put(...path: readonly string[]): string {
  const file = join(home, ...path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}\n');
  return file;
}

const owner = (path: string) => folderOwner(path, { home });

describe("the owner of a folder", () => {
  it("is known for everything in the programs' folders, at any depth", () => {
    expect([
      owner(put(".claude", "projects", "-p", "a.jsonl")),
      owner(put(".codex", "sessions", "2026", "01", "02", "rollout-a.jsonl")),
      owner(put(".gemini", "tmp", "p", "chats", "session-a.jsonl")),
      owner(put(".local", "share", "opencode", "opencode.db")),
      owner(put(".pi", "agent", "sessions", "--p--", "a.jsonl")),
      owner(put(".pi", "agent", "backup", "a.jsonl")),
      owner(put(".omp", "agent", "sessions", "--p--", "a.jsonl")),
      owner(put(".openclaw", "agents", "main", "sessions", "a.jsonl")),
      owner(join(home, ".pi", "agent", "sessions", "--not-yet--")),
    ]).toEqual(["claude-code", "codex", "gemini", "opencode", "pi", "pi", "pi", "pi", "pi"]);
  });

  it("respects the programs' environment variables", () => {
    const file = put("elsewhere", "sessions", "--p--", "a.jsonl");
    expect(owner(file)).toBeUndefined();
    expect(folderOwner(file, { home, environment: { PI_CODING_AGENT_DIR: join(home, "elsewhere") } })).toBe("pi");
  });

  it("is found through links to the file, to a folder, and to the program's whole folder", () => {
    const file = put(".pi", "agent", "sessions", "--p--", "a.jsonl");
    const [link, folder, hard] = [join(home, "link.jsonl"), join(home, "folder"), join(home, "hard.jsonl")];
    symlinkSync(file, link);
    symlinkSync(dirname(file), folder);
    linkSync(file, hard);
    const moved = put("disk", "codex", "sessions", "rollout-b.jsonl");
    symlinkSync(join(home, "disk", "codex"), join(home, ".codex"));
    expect([owner(link), owner(join(folder, "a.jsonl")), owner(hard), owner(moved)]).toEqual([
      ...["pi", "pi", "pi", "codex"],
    ]);
  });

  it("is undefined in Bough's own folders and elsewhere, except for a link to another program's file", () => {
    const own = put(".bough", "sessions", "--p--", "a.jsonl");
    const file = put(".pi", "agent", "sessions", "--p--", "b.jsonl");
    const link = join(dirname(own), "b.jsonl");
    symlinkSync(file, link);
    expect([owner(own), owner(put(".pirate", "a.jsonl")), owner(put("a.jsonl")), owner(link)]).toEqual([
      ...[undefined, undefined, undefined, "pi"],
    ]);
  });

  it("is undefined for Bough's sessions that a link shares with another program", () => {
    const own = put(".bough", "sessions", "--p--", "a.jsonl");
    mkdirSync(join(home, ".pi", "agent"), { recursive: true });
    symlinkSync(join(home, ".bough", "sessions"), join(home, ".pi", "agent", "sessions"));
    expect([owner(own), owner(join(home, ".pi", "agent", "sessions", "--p--", "a.jsonl"))]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
