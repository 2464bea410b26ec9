import { drawSession } from "@bough/agent/agent/operation-parts.test-support.js";
import { describe, expect, test } from "vitest";
import { parserSession } from "../tree/parser-session.test-support.js";
import { type TestAppOptions, testApp } from "../tree/screen-app.test-support.js";
import { BRANCHES_KEYS } from "./branches-panel.js";

const NOW = Date.UTC(2025, 0, 1, 13);

async function listed(options: Partial<TestAppOptions> = {}, filter?: string) {
  const app = testApp({ session: parserSession(), width: 80, height: 10, now: NOW, ...options });
  const closed = app.open({ screen: "branches", filter });
  await app.host.settle();
  return { ...app, closed };
}

describe("the list of branches", () => {
  test("has number, name, origin, turns, files and age", async () => {
    const { host } = await listed();
    expect(host.screen).toMatchInlineSnapshot(`
      " Branches · 3                                   sort: recent   f filter   ? keys
          #   name                         from                 turns  files    last
          3   use an off-the-shelf grammar "wire the tokeni…"       1      0   ✕ 12h
          2   try a hand-written lexer     "wire the tokeni…"       2            12h
       ❯@ 1   wire the tokenizer into the… start                    3            12h
       Enter go to its end   m name   t in tree"
    `);
  });

  test("keeps marker, number, name and age on forty columns", async () => {
    const { host } = await listed({ width: 40, glyphs: "ascii" });
    expect(host.screen).toMatchInlineSnapshot(`
      " Branches - 3               sort: recent
          3   use an off-the-she...    x 12h
          2   try a hand-written...      12h
       >@ 1   wire the tokenizer...      12h
       Enter go to its end  m name  ? keys"
    `);
  });

  test("says so where there is only one branch", async () => {
    const { host } = await listed({ session: drawSession("A-b-C-d") });
    expect(host.screen).toContain("Only one branch so far; you are on it.");
  });

  test("Enter goes to the end of the branch and closes the list", async () => {
    const { host, session, closed } = await listed({}, "lexer");
    host.press("enter");
    await expect.poll(() => host.top?.name).toBe("leaving");
    host.press("enter");
    await closed;
    expect(session.getLeafId()).toBe("s");
    await host.settle();
    expect(host.statusLine?.message).toContain("#2");
  });

  test("words narrow it while they are typed; Esc clears them, then closes", async () => {
    const { host, closed } = await listed();
    host.press("/");
    host.type("grammar");
    expect(host.screen).toContain("off-the-shelf");
    expect(host.screen).not.toContain("hand-written");
    host.press("enter");
    host.press("esc");
    expect(host.screen).toContain("hand-written");
    host.press("esc");
    await closed;
  });

  test("m names a branch, and asks where the name is taken", async () => {
    const { host, session } = await listed({}, "lexer");
    host.press("m");
    host.type("good");
    host.press("enter");
    await host.settle();
    expect(host.screen).toContain('"good" is on "fix the failing edge cases".');
    host.press("enter");
    await host.settle();
    expect([session.getLabel("L"), session.getLabel("F")]).toEqual(["good", undefined]);
    expect(host.top?.name).toBe("branches");
    host.press("esc");
    expect(host.screen).toContain("good");
  });

  test("t shows the branch in the tree", async () => {
    const { host } = await listed({}, "grammar");
    host.press("t");
    await host.settle();
    expect(host.top?.name).toBe("tree");
  });

  test("d compares, M shows the plan of a merge", async () => {
    const { host } = await listed({}, "lexer");
    host.press("d");
    await host.settle();
    expect(host.top?.name).toBe("compare");
    host.press("esc", "M");
    await host.settle();
    expect(host.lines[0]).toContain("Merge #2");
  });
});

describe("keys of the branch list", () => {
  test("each has an effect or a reason", async () => {
    for (const { id, keys } of BRANCHES_KEYS.actions) {
      for (const key of keys) {
        const { host } = await listed();
        host.press("down");
        const panel = host.top;
        const before = host.screen;
        const reason = panel?.disabledReason?.(id);
        expect(host.press(key)).toBe(true);
        await host.settle();
        if (reason !== undefined) expect(host.oneLine).toContain(reason);
        else expect(host.top === panel && host.screen === before, `${id} by ${key}`).toBe(false);
      }
    }
  });

  test("moving is disabled in a read-only session", async () => {
    const { host } = await listed({ readOnly: true }, "lexer");
    for (const key of ["enter", "s", "M", "m"]) {
      host.press(key);
      expect(host.lines.at(-1)).toBe(" Open in another process. You can browse but not move.");
    }
  });
});
