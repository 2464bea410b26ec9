/** How much of a session `bough export` writes. */

import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { agentsPlace, runCommand } from "../import/run-command.test-support.js";

test("a page has every branch, --scope path narrows it, and --all widens the other formats", async () => {
  const place = agentsPlace();
  const session = SessionManager.create(place.cwd);
  const say = (content: string) => session.appendMessage({ role: "user", content, timestamp: 1 });
  const first = say("first");
  say("one way");
  session.branch(first);
  say("another way");
  session.close();
  const entriesOf = async (...flags: readonly string[]) => {
    const { stdout } = await runCommand(place, ["export", session.getSessionId(), "--json", "--dry-run", ...flags]);
    const { entries, scope } = JSON.parse(stdout);
    return [entries, scope];
  };
  expect(await entriesOf("-o", "a.html")).toEqual([3, "all"]);
  expect(await entriesOf("-o", "a.html", "--scope", "path")).toEqual([2, "path"]);
  expect(await entriesOf("-o", "a.md")).toEqual([2, "path"]);
  expect(await entriesOf("-o", "a.md", "--all")).toEqual([3, "all"]);
  expect(await entriesOf("-o", "a.jsonl", "--scope", "all")).toEqual([3, "all"]);
});
