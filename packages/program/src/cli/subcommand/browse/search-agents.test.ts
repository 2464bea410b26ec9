/** `bough search` limited to some agents, and what it reports if there are no sessions. */

import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { user } from "../../../../../../test/support/messages.js";
import { type AgentsPlace, agentsPlace, runCommand } from "../import/run-command.test-support.js";

async function agentsWithHits(place: AgentsPlace, ...args: string[]): Promise<string[]> {
  const { stdout } = await runCommand(place, ["search", "--json", "notes.txt", ...args]);
  const lines = stdout.trim().split("\n");
  const hits = lines.map((line) => JSON.parse(line) as { readonly type: string; readonly agent?: string });
  return [...new Set(hits.filter(({ type }) => type === "hit").map(({ agent }) => agent ?? "bough"))].sort();
}

describe("search with --agent", () => {
  test("looks into sessions of these agents and no others", async () => {
    const place = agentsPlace();
    const session = SessionManager.create(place.cwd);
    session.appendMessage(user("What is in notes.txt?"));
    session.close();
    expect([
      await agentsWithHits(place),
      await agentsWithHits(place, "--agent", "codex"),
      await agentsWithHits(place, "--agent", "bough", "--agent", "codex"),
      await agentsWithHits(place, "--agent", "bough", "--all-agents"),
    ]).toEqual([["bough"], ["codex"], ["bough", "codex"], ["bough"]]);
  });

  test("says where nothing was found", async () => {
    const place = agentsPlace();
    const said = async (...args: string[]) => (await runCommand(place, ["search", "unheard-of", ...args])).stderr;
    expect(await said("--agent", "codex", "--agent", "bough")).toMatch(
      /^Nothing in any session from Codex or Bough matches unheard-of \(\d+ searched\)\.\n$/,
    );
    expect(await said()).toContain("other agents too: --all-agents");
  });
});
