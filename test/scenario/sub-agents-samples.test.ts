/** The large samples, copied to where their programs keep sessions: listed, searched and imported together. */
import { join } from "node:path";
import { verifySession } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { fingerprint } from "../support/fingerprint.js";
import { layOutFixtures, MISSING_FIXTURES } from "../support/fixtures-home.js";
import { makeSubPlace, runSub } from "./sub-support.js";

const AGENT_FOLDERS = [".claude", ".codex", ".gemini", ".local", ".omp", ".pi"] as const;

/** Main files that are no session of their own: a second file of a chat, and the session of a sub-agent. */
const PARTS = /session-2026-11-15T08-51-298e9785\.jsonl$/;

const isHere = MISSING_FIXTURES.length === 0;
describe("samples of all five agents in one home", () => {
  test.skipIf(!isHere)(
    isHere
      ? "are listed, searched and imported; importing again adds nothing, and nothing of theirs changes"
      : "the samples are not here: set BOUGH_FIXTURES to the folder with real/ and foreign/",
    async () => {
      const place = makeSubPlace();
      const user = place.env.HOME as string;
      const placed = layOutFixtures(user);
      const foreign = () => AGENT_FOLDERS.flatMap((folder) => fingerprint(join(user, folder)));
      const before = foreign();
      const json = async (...args: readonly string[]): Promise<unknown> => {
        const { code, stdout, stderr } = await runSub(place, [...args, "--json"]);
        expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
        return JSON.parse(stdout);
      };
      const { sessions } = (await json("ls", "--all-agents")) as { sessions: { agent: string; path: string }[] };
      const others = sessions.filter(({ agent }) => agent !== "bough");
      expect([...new Set(others.map(({ path }) => path))].sort()).toEqual(placed.filter((path) => !PARTS.test(path)));
      expect(new Set(others.map(({ agent }) => agent))).toEqual(
        new Set(["claude-code", "codex", "gemini", "opencode", "pi"]),
      );

      const hits = (await runSub(place, ["search", "--all-agents", "--role", "user", "--json", "cobalt"])).stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { type: string; agent?: string; problems?: readonly object[] });
      expect(hits.at(-1)).toMatchObject({ type: "end", problems: [] });
      expect(new Set(hits.flatMap(({ agent }) => agent ?? []))).toEqual(
        new Set(["claude-code", "codex", "gemini", "opencode", "pi"]),
      );

      interface Imported {
        readonly sessions: readonly { readonly kind: string; readonly session: { readonly path: string } }[];
        readonly failed: readonly object[];
        readonly empty: readonly object[];
      }
      const first = (await json("import", "--all", "--yes")) as Imported;
      expect(first.failed).toEqual([]);
      expect(first.sessions.length + first.empty.length).toBe(others.length);
      for (const { session } of first.sessions) expect((await verifySession(session.path)).ok).toBe(true);
      const again = (await json("import", "--all", "--yes")) as Imported;
      expect(new Set(again.sessions.map(({ kind }) => kind))).toEqual(new Set(["unchanged"]));
      expect(foreign()).toEqual(before);
    },
  );
});
