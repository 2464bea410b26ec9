import { describe, expect, test } from "vitest";
import { drawSession } from "../../agent/operation-parts.test-support.js";
import { parserSession } from "../tree/parser-session.test-support.js";
import { type TestAppOptions, testApp } from "../tree/screen-app.test-support.js";
import { BRANCHES_KEYS } from "./branches-panel.js";

const NOW = Date.UTC(2025, 0, 1, 13);

async function listed(options: Partial<TestAppOptions> = {}, filter?: string) {
  const app = testApp({ session: parserSession(), width: 80, height: 10, now: NOW, ...options });
  const closed = app.open({ screen: "branches", ...(filter === undefined ? {} : { filter }) });
  await app.desk.settle();
  return { ...app, closed };
}

describe("the list of branches", () => {
  test("has number, name, origin, turns, files and age", async () => {
    const { desk } = await listed();
    expect(desk.screen).toMatchInlineSnapshot(`
      " Branches · 3                                   sort: recent   f filter   ? keys
          #   name                         from                 turns  files    last
          3   use an off-the-shelf grammar "wire the tokeni…"       1      0   ✕ 12h
          2   try a hand-written lexer     "wire the tokeni…"       2            12h
       ❯@ 1   main                         start                    3            12h
       Enter go to its end   m name   t in tree"
    `);
  });

  test("keeps marker, number, name and age on forty columns", async () => {
    const { desk } = await listed({ width: 40, glyphs: "ascii" });
    expect(desk.screen).toMatchInlineSnapshot(`
      " Branches - 3               sort: recent
          3   use an off-the-she...    x 12h
          2   try a hand-written...      12h
       >@ 1   main                       12h
       Enter go to its end  m name  ? keys"
    `);
  });

  test("says so where there is only one branch", async () => {
    const { desk } = await listed({ session: drawSession("A-b-C-d") });
    expect(desk.screen).toContain("One branch so far, and you are on it.");
  });

  test("Enter goes to the end of the branch and closes the list", async () => {
    const { desk, session, closed } = await listed({}, "lexer");
    desk.press("enter");
    await closed;
    expect(session.getLeafId()).toBe("s");
    await desk.settle();
    expect(desk.statusLine?.message).toContain("#2");
  });

  test("words narrow it while they are typed; Esc clears them, then closes", async () => {
    const { desk, closed } = await listed();
    desk.press("/");
    desk.type("grammar");
    expect(desk.screen).toContain("off-the-shelf");
    expect(desk.screen).not.toContain("hand-written");
    desk.press("enter");
    desk.press("esc");
    expect(desk.screen).toContain("hand-written");
    desk.press("esc");
    await closed;
  });

  test("m names a branch, and asks where the name is taken", async () => {
    const { desk, session } = await listed({}, "lexer");
    desk.press("m");
    desk.type("good");
    desk.press("enter");
    await desk.settle();
    expect(desk.screen).toContain('"good" is on "fix the failing edge cases".');
    desk.press("enter");
    await desk.settle();
    expect([session.getLabel("L"), session.getLabel("F")]).toEqual(["good", undefined]);
    expect(desk.top?.name).toBe("branches");
    desk.press("esc");
    expect(desk.screen).toContain("good");
  });

  test("t shows the branch in the tree", async () => {
    const { desk } = await listed({}, "grammar");
    desk.press("t");
    await desk.settle();
    expect(desk.top?.name).toBe("tree");
  });

  test("d compares, M shows the plan of a merge", async () => {
    const { desk } = await listed({}, "lexer");
    desk.press("d");
    await desk.settle();
    expect(desk.top?.name).toBe("compare");
    desk.press("esc", "M");
    await desk.settle();
    expect(desk.lines[0]).toContain("Merge #2");
  });
});

describe("keys of the branch list", () => {
  test("each has an effect or a reason", async () => {
    for (const { id, keys } of BRANCHES_KEYS.actions) {
      for (const key of keys) {
        const { desk } = await listed();
        desk.press("down");
        const panel = desk.top;
        const before = desk.screen;
        const reason = panel?.disabledReason?.(id);
        expect(desk.press(key)).toBe(true);
        await desk.settle();
        if (reason !== undefined) expect(desk.screen).toContain(reason);
        else expect(desk.top === panel && desk.screen === before, `${id} by ${key}`).toBe(false);
      }
    }
  });

  test("moving is off where the session is only looked at", async () => {
    const { desk } = await listed({ readOnly: true }, "lexer");
    for (const key of ["enter", "s", "M", "m"]) {
      desk.press(key);
      expect(desk.lines.at(-1)).toBe(" Open in another process. You can look; moving is off.");
    }
  });
});
