import { describe, expect, test } from "vitest";
import { TextEditor } from "../chat/editor/text-editor.js";
import { testHost } from "../host/host.test-support.js";
import type { KeyPress } from "../keys/key-press.js";
import { decodeKey } from "./decode-key.js";

type Keys = Readonly<Record<string, string>>;

/** What real terminals send after ESC, from their terminfo entries and manuals. */
const TERMINALS: Readonly<Record<string, Keys>> = {
  "xterm, VTE, kitty, Alacritty, iTerm2": {
    home: "[H",
    end: "[F",
    insert: "[2~",
    delete: "[3~",
    pageup: "[5~",
    pagedown: "[6~",
    up: "[A",
    left: "[D",
    "shift+tab": "[Z",
    f1: "OP",
    f2: "OQ",
    f5: "[15~",
    f12: "[24~",
    "shift+home": "[1;2H",
    "ctrl+home": "[1;5H",
    "ctrl+end": "[1;5F",
    "ctrl+shift+end": "[1;6F",
    "ctrl+left": "[1;5D",
    "alt+right": "[1;3C",
    "shift+up": "[1;2A",
    "ctrl+delete": "[3;5~",
    "alt+delete": "[3;3~",
    "ctrl+pageup": "[5;5~",
    "shift+pagedown": "[6;2~",
    "shift+f1": "[1;2P",
    "ctrl+f5": "[15;5~",
  },
  "xterm with application cursor keys": { home: "OH", end: "OF", up: "OA", down: "OB", right: "OC", left: "OD" },
  tmux: {
    home: "[1~",
    end: "[4~",
    insert: "[2~",
    delete: "[3~",
    pageup: "[5~",
    pagedown: "[6~",
    up: "OA",
    f1: "OP",
    f5: "[15~",
    "shift+tab": "[Z",
    "ctrl+home": "[1;5H",
    "ctrl+end": "[1;5F",
    "ctrl+left": "[1;5D",
    "ctrl+pageup": "[5;5~",
  },
  screen: {
    home: "[1~",
    end: "[4~",
    insert: "[2~",
    delete: "[3~",
    pageup: "[5~",
    pagedown: "[6~",
    up: "OA",
    f1: "OP",
    "shift+tab": "[Z",
    "ctrl+home": "[1;5~",
    "ctrl+end": "[4;5~",
  },
  "rxvt and rxvt-unicode": {
    home: "[7~",
    end: "[8~",
    insert: "[2~",
    delete: "[3~",
    pageup: "[5~",
    pagedown: "[6~",
    f1: "[11~",
    f2: "[12~",
    f4: "[14~",
    "shift+tab": "[Z",
    "shift+home": "[7$",
    "ctrl+home": "[7^",
    "ctrl+shift+home": "[7@",
    "shift+end": "[8$",
    "ctrl+end": "[8^",
    "ctrl+shift+end": "[8@",
    "shift+delete": "[3$",
    "ctrl+delete": "[3^",
    "ctrl+shift+delete": "[3@",
    "shift+pageup": "[5$",
    "ctrl+pageup": "[5^",
    "ctrl+pagedown": "[6^",
    "shift+up": "[a",
    "shift+down": "[b",
    "ctrl+left": "Od",
    "ctrl+right": "Oc",
    enter: "OM",
  },
  "the Linux console": {
    home: "[1~",
    end: "[4~",
    insert: "[2~",
    delete: "[3~",
    pageup: "[5~",
    pagedown: "[6~",
    up: "[A",
    f1: "[[A",
    f2: "[[B",
    f5: "[[E",
    f6: "[17~",
  },
  "PuTTY and older terminals": {
    home: "[1~",
    end: "[4~",
    f1: "[11~",
    f5: "[15~",
    "ctrl+left": "[5D",
    "ctrl+right": "[5C",
    "ctrl+up": "[5A",
  },
};

describe("keys as real terminals send them", () => {
  for (const [terminal, keys] of Object.entries(TERMINALS)) {
    test.each(Object.entries(keys))(`${terminal}: %s`, (name, sequence) => {
      expect(decodeKey(`\x1b${sequence}`)?.name).toBe(name);
    });
  }

  const spellings = (name: string): readonly string[] =>
    [...new Set(Object.values(TERMINALS).flatMap((keys) => keys[name] ?? []))].map((sequence) => `\x1b${sequence}`);

  test.each(["home", "end", "delete", "ctrl+left"])("every spelling of %s works where people write", (name) => {
    const written = spellings(name).map((sequence) => {
      const editor = new TextEditor({ host: testHost(), onSubmit: () => {} });
      editor.setText("one two");
      if (name !== "home" && name !== "ctrl+left") editor.handleKey(decodeKey("\x1b[H") as KeyPress);
      editor.handleKey(decodeKey(sequence) as KeyPress);
      editor.insert("|");
      return editor.text;
    });
    const expected = { home: "|one two", end: "one two|", delete: "|ne two", "ctrl+left": "one |two" }[name];
    expect(written).toEqual(written.map(() => expected));
    expect(written.length).toBeGreaterThan(0);
  });
});
