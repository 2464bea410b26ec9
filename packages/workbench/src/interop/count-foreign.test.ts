import { countSession } from "@bough/session/session/internal.js";
import { expect, it } from "vitest";
import { layOutAgents } from "../../../../test/support/agents-home.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { countForeign } from "./count-foreign.js";
import { findSessions } from "./find-sessions.js";
import { openSource } from "./open-foreign.js";

it.each(["files", "database"] as const)("counts the same in memory as in a converted file (%s)", async (opencode) => {
  const home = tempFolder();
  layOutAgents({ home, opencode });
  const sources = await findSessions({ home });
  expect(new Set(sources.map(({ agent }) => agent)).size).toBe(5);
  for (const source of sources) {
    const opened = await openSource(source, { originals: "leave-out" });
    const expected = countSession(opened.file);
    opened.close();
    expect(await countForeign(source, { signal: new AbortController().signal })).toEqual(expected);
  }
});

it("stops when it is cancelled", async () => {
  const home = tempFolder();
  layOutAgents({ home });
  const [source] = await findSessions({ home, agents: ["claude-code"] });
  const counting = countForeign(source as never, { signal: AbortSignal.abort() });
  await expect(counting).rejects.toThrow("aborted");
});
