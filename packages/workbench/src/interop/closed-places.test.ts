import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { layOutAgents } from "../../../../test/support/agents-home.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { closedPlaces } from "./closed-places.js";

describe("unreadable places", () => {
  test("do not exist in a readable, an empty, or a missing home", () => {
    const home = tempFolder();
    layOutAgents({ home, opencode: "database" });
    symlinkSync(join(home, "nowhere"), join(home, ".claude", "projects", "gone.jsonl"));
    symlinkSync(home, join(home, ".claude", "projects", "loop"));
    expect([closedPlaces({ home }), closedPlaces({ home: tempFolder() }), closedPlaces({ home: "/nowhere" })]).toEqual([
      [],
      [],
      [],
    ]);
  });

  test("are named with their agent, and only for the requested agents", () => {
    const home = tempFolder();
    layOutAgents({ home });
    const [codex, gemini] = [join(home, ".codex", "sessions"), join(home, ".gemini", "tmp")];
    for (const place of [codex, gemini]) {
      rmSync(place, { recursive: true });
      // A file in place of a folder is unreadable even if the test runs as root.
      writeFileSync(place, "");
    }
    expect(closedPlaces({ home })).toEqual([
      { agent: "codex", path: codex },
      { agent: "gemini", path: gemini },
    ]);
    expect(closedPlaces({ home, agents: ["gemini"] })).toEqual([{ agent: "gemini", path: gemini }]);
  });

  test.skipIf(process.getuid?.() === 0)("are folders and transcripts without permission", () => {
    const home = tempFolder();
    const { claude } = layOutAgents({ home });
    const locked = join(home, ".claude", "projects", "-locked");
    mkdirSync(locked);
    chmodSync(locked, 0);
    chmodSync(claude, 0);
    const paths = closedPlaces({ home }).map(({ path }) => path);
    chmodSync(locked, 0o700);
    expect(paths.sort()).toEqual([claude, locked].sort());
    expect(dirname(locked)).toBe(dirname(dirname(claude)));
  });
});
