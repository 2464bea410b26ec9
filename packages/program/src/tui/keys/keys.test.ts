import { describe, expect, test } from "vitest";
import { ALL_KEYS } from "./all-keys.js";
import { createKeyMap } from "./create-key-map.js";
import { keyHint, keyName } from "./key-names.js";
import { namedKeyPress } from "./named-key-press.test-support.js";

describe("a key has one spelling", () => {
  test.each([
    ["Escape", "esc"],
    ["shift+l", "L"],
    ["Shift+Tab", "shift+tab"],
    ["alt+ctrl+x", "ctrl+alt+x"],
    ["control+O", "ctrl+o"],
    ["PgUp", "pageup"],
    ["+", "+"],
    ["ctrl++", "ctrl++"],
    [" ", "space"],
    ["Esc Esc", "esc esc"],
    ["@", "@"],
    ["hyper+x", undefined],
    ["ctrl+", undefined],
    ["nothing", undefined],
    ["", undefined],
  ])("%j is %s", (written, name) => {
    expect(keyName(written)).toBe(name);
  });

  test("and one form in hints", () => {
    expect(["enter", "ctrl+o", "L", "esc esc", "shift+tab", "pageup", "ctrl++", "space", "f1"].map(keyHint)).toEqual([
      "Enter",
      "Ctrl+O",
      "L",
      "Esc Esc",
      "Shift+Tab",
      "PgUp",
      "Ctrl++",
      "Space",
      "F1",
    ]);
  });
});

describe("the table", () => {
  test("has no key for two actions of one scope, and no key that does not exist", () => {
    expect(createKeyMap({ scopes: ALL_KEYS }).problems).toEqual([]);
  });

  test("has ids that start with their scope, without duplicates, and a help text for each", () => {
    const ids = ALL_KEYS.flatMap(({ id, actions }) =>
      actions.map((action) => {
        expect(action.id.split(".")[0]).toBe(id);
        expect(action.help).toMatch(/^[^\s.][^\n]*[^.]$/);
        return action.id;
      }),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("needs no arrow with Ctrl or Alt: each of those has another key", () => {
    for (const action of ALL_KEYS.flatMap(({ actions }) => actions)) {
      if (action.keys.length === 0) continue;
      const easy = action.keys.filter((key) => !/^(ctrl|alt)\+(up|down|left|right)$/.test(key));
      expect([action.id, easy.length]).not.toEqual([action.id, 0]);
    }
  });
});

describe("keys of one's own", () => {
  const scopes = [
    {
      id: "tree",
      title: "Tree",
      actions: [
        { id: "tree.label", keys: ["m"], help: "label" },
        { id: "tree.merge", keys: ["M"], help: "merge" },
      ],
    },
  ];
  const actionOf = (map: ReturnType<typeof createKeyMap>, key: string) => map.actionFor("tree", namedKeyPress(key));

  test("replace the defaults, and hints follow", () => {
    const map = createKeyMap({ scopes, overrides: { "tree.label": ["x", "shift+l"] } });
    expect([actionOf(map, "m"), actionOf(map, "x"), actionOf(map, "L"), map.hint("tree.label"), map.problems]).toEqual([
      undefined,
      "tree.label",
      "tree.label",
      "x",
      [],
    ]);
  });

  test("may be none at all", () => {
    const map = createKeyMap({ scopes, overrides: { "tree.label": [] } });
    expect([actionOf(map, "m"), map.hint("tree.label"), map.actionsOf("tree")[0]?.keys]).toEqual([undefined, "", []]);
  });

  test("win over a default that had the key", () => {
    const map = createKeyMap({ scopes, overrides: { "tree.label": ["M"] } });
    expect([actionOf(map, "M"), map.hint("tree.merge"), map.problems]).toEqual(["tree.label", "", []]);
  });

  test("that make no sense are named, and the rest is used", () => {
    const map = createKeyMap({
      scopes,
      overrides: { "tree.lable": ["x"], "tree.label": ["hyper+x", "y"], "tree.merge": ["y", "z"] },
    });
    expect([map.problems, actionOf(map, "y"), actionOf(map, "z")]).toEqual([
      [
        "Unknown action tree.lable. The key reference lists them all.",
        "tree.label: unknown key hyper+x",
        "y cannot be tree.merge, because it is tree.label",
      ],
      "tree.label",
      "tree.merge",
    ]);
  });
});

describe("keys of extensions", () => {
  test("are given where they are free, and refused with a reason where they are not", () => {
    const shortcut = (key: string) => ({ key, extension: "guard", help: "guard" });
    const map = createKeyMap({ scopes: ALL_KEYS, shortcuts: ["alt+x", "ctrl+c", "x", "alt+X", "nope"].map(shortcut) });
    expect([map.actionFor("extension", namedKeyPress("alt+x")), map.problems]).toEqual([
      "extension.alt+x",
      [
        "The extension guard wants Ctrl+C, which is everywhere.interrupt. Its shortcut is disabled.",
        "The extension guard wants x, which types a character. Its shortcut is disabled.",
        "The extension guard wants Alt+X, which is extension.alt+x. Its shortcut is disabled.",
        'guard: "nope" is not a valid key; shortcut ignored.',
      ],
    ]);
  });
});
