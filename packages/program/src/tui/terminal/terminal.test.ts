import { clipboardProgram } from "@bough/agent/terminal/index.js";
import xterm from "@xterm/headless";
import { describe, expect, test } from "vitest";
import type { Frame } from "../host/panel.js";
import { namedKeyPress } from "../keys/named-key-press.test-support.js";
import { decodeKey } from "./decode-key.js";
import type { InputEvent } from "./input-event.js";
import { MemoryTerminal } from "./memory-terminal.test-support.js";
import { frameUpdate, ScreenTerminal } from "./screen-terminal.js";
import { InputSplitter } from "./split-input.js";

function split(...chunks: readonly string[]): unknown[] {
  const splitter = new InputSplitter();
  const pieces = chunks.flatMap((chunk) => splitter.take(chunk));
  return [...pieces, ...splitter.flush()].map((piece) => (piece.kind === "paste" ? { paste: piece.text } : piece.data));
}

describe("input is split into keys", () => {
  test.each<[string, readonly string[], unknown[]]>([
    ["letters that arrive together", ["abc"], ["a", "b", "c"]],
    ["a character of two units", ["x😀é"], ["x", "😀", "é"]],
    ["an arrow", ["\x1b[A"], ["\x1b[A"]],
    ["an arrow in pieces", ["\x1b", "[", "A"], ["\x1b[A"]],
    ["a lone Esc", ["\x1b"], ["\x1b"]],
    ["Esc twice", ["\x1b\x1b"], ["\x1b", "\x1b"]],
    ["Esc and then an arrow", ["\x1b\x1b[A"], ["\x1b", "\x1b[A"]],
    ["Alt and a letter", ["\x1bb"], ["\x1bb"]],
    ["a function key", ["\x1bOP"], ["\x1bOP"]],
    ["a function key of the Linux console", ["\x1b[[A"], ["\x1b[[A"]],
    ["Alt and O", ["\x1bO"], ["\x1b", "O"]],
    ["a report of the mouse in pieces", ["\x1b[<64;1", "0;5M"], ["\x1b[<64;10;5M"]],
    ["an answer of the terminal", ["\x1b]11;rgb:00/00/00\x1b\\a"], ["\x1b]11;rgb:00/00/00\x1b\\", "a"]],
    ["a marked paste", ["a\x1b[200~one\ntwo\x1b[201~b"], ["a", { paste: "one\ntwo" }, "b"]],
    ["a marked paste in pieces", ["\x1b[200~on", "e\x1b[2", "01~b"], [{ paste: "one" }, "b"]],
    ["an empty paste", ["\x1b[200~\x1b[201~"], [{ paste: "" }]],
    [
      "lines that arrive at once",
      ["function one() {\r  return 1;\r}"],
      [{ paste: "function one() {\r  return 1;\r}" }],
    ],
    ["a line and Enter", ["hello\r"], ["h", "e", "l", "l", "o", "\r"]],
  ])("%s", (_name, chunks, expected) => {
    expect(split(...chunks)).toEqual(expected);
  });

  test("lines that arrive at once are typed where the terminal marks its pastes", () => {
    const splitter = new InputSplitter();
    splitter.marksPastes = true;
    const text = "a first line of some length\rb";
    expect(splitter.take(text).map((piece) => piece.kind === "sequence" && piece.data)).toEqual([...text]);
  });
});

describe("keys have one name", () => {
  test.each([
    ["a", "a"],
    ["L", "L"],
    [" ", "space"],
    ["é", "é"],
    ["?", "?"],
    ["\r", "enter"],
    ["\n", "ctrl+j"],
    ["\t", "tab"],
    ["\x1b[Z", "shift+tab"],
    ["\x7f", "backspace"],
    ["\x1b", "esc"],
    ["\x0f", "ctrl+o"],
    ["\x03", "ctrl+c"],
    ["\x1f", "ctrl+-"],
    ["\x1b[5~", "pageup"],
    ["\x1bOP", "f1"],
    ["\x1b[1;5H", "ctrl+home"],
    ["\x1b\r", "alt+enter"],
    ["\x1bp", "alt+p"],
    ["\x1b<", "alt+<"],
    ["\x1b[13;2u", "shift+enter"],
    ["\x1b[27;2;13~", "shift+enter"],
    ["\x1b[27u", "esc"],
    ["\x1b[99;5u", "ctrl+c"],
    ["\x1b[108:76;2u", "L"],
    ["\x1b[47:63;2u", "?"],
    ["\x1b[1;2A", "shift+up"],
  ])("%j is %s", (raw, name) => {
    expect(decodeKey(raw)?.name).toBe(name);
  });

  test("keys that type something say what", () => {
    expect(["a", " ", "\x1b[47:63;2u", "\x0f", "\r"].map((raw) => decodeKey(raw)?.text)).toEqual([
      "a",
      " ",
      "?",
      undefined,
      undefined,
    ]);
  });

  test("the bytes for named keys in tests are those keys", () => {
    const names = [
      "enter",
      "esc",
      "up",
      "shift+enter",
      "ctrl+o",
      "alt+p",
      "alt+<",
      "f1",
      "f2",
      "ctrl+end",
      "L",
      "space",
    ];
    expect(names.map((name) => decodeKey(namedKeyPress(name).raw)?.name)).toEqual(names);
  });

  test("a key release and an answer of the terminal are not keys", () => {
    expect([decodeKey("\x1b[97;1:3u"), decodeKey("\x1b[?1;2c")]).toEqual([undefined, undefined]);
  });
});

describe("drawing", () => {
  test("writes the rows that changed and no others", () => {
    const update = frameUpdate(["one", "two", "three"], { lines: ["one", "TWO", "three"] });
    expect(update).toContain("\x1b[2;1H\x1b[2KTWO");
    expect(update).not.toContain("one");
    expect(update).not.toContain("three");
  });

  test("moves nothing but the cursor where nothing changed", () => {
    expect(frameUpdate(["one"], { lines: ["one"], cursor: { row: 0, column: 2 } })).toBe("\x1b[1;3H\x1b[?25h");
  });

  test("deletes pictures when their row changes", () => {
    expect(frameUpdate(["\x1b_Gf=100;AAAA\x1b\\", "b"], { lines: ["a", "b"] })).toContain("\x1b_Ga=d,d=A");
  });
});

function terminal(draw: (size: { width: number; height: number }) => Frame) {
  const port = new MemoryTerminal({ columns: 20, rows: 4 });
  const events: InputEvent[] = [];
  const screen = new ScreenTerminal({ port, mouse: true, draw, onInput: (event) => events.push(event), now: () => 0 });
  return { port, screen, events };
}

async function shown(port: MemoryTerminal): Promise<{ lines: string[]; type: string; cursor: [number, number] }> {
  const emulator = new xterm.Terminal({ cols: port.columns, rows: port.rows, allowProposedApi: true });
  await new Promise<void>((resolve) => emulator.write(port.written, resolve));
  const { active } = emulator.buffer;
  const lines = Array.from({ length: port.rows }, (_, row) => active.getLine(row)?.translateToString(true) ?? "");
  return { lines, type: active.type, cursor: [active.cursorY, active.cursorX] };
}

describe("the terminal", () => {
  test("is taken over, drawn as a whole, and given back", async () => {
    const { port, screen } = terminal(({ height }) => ({
      lines: Array.from({ length: height }, (_, row) => `row ${row}`),
      cursor: { row: 2, column: 3 },
    }));
    screen.start();
    expect(await shown(port)).toEqual({
      lines: ["row 0", "row 1", "row 2", "row 3"],
      type: "alternate",
      cursor: [2, 3],
    });
    screen.stop();
    expect([(await shown(port)).type, port.isStarted]).toEqual(["normal", false]);
  });

  test("a line that fills its row keeps its last character and pushes nothing out", async () => {
    const { port, screen } = terminal(() => ({ lines: ["x".repeat(20), "b", "c", "y".repeat(25)] }));
    screen.start();
    expect((await shown(port)).lines).toEqual(["x".repeat(20), "b", "c", "y".repeat(20)]);
  });

  test("follows the size, and a shorter frame leaves no old rows", async () => {
    let lines = ["a", "b", "c", "d"];
    const { port, screen } = terminal(() => ({ lines }));
    screen.start();
    lines = ["A"];
    port.resize(10, 3);
    expect((await shown(port)).lines).toEqual(["A", "", ""]);
  });

  test("never clears the terminal's scrollback", () => {
    const { port, screen } = terminal(() => ({ lines: ["a"] }));
    screen.start();
    port.resize(30, 10);
    screen.redrawAll();
    screen.stop();
    expect(port.written).not.toContain("\x1b[3J");
  });

  test("hands on keys, pastes, the wheel and clicks", () => {
    const { port, screen, events } = terminal(() => ({ lines: [] }));
    screen.start();
    port.feed("a\x1b[200~b\r\nc\x1b[201~\x1b[<65;3;2M\x1b[<0;3;2M\x1b[<0;3;2m");
    expect(events.map((event) => (event.kind === "key" ? event.key.name : event))).toEqual([
      "a",
      { kind: "paste", text: "b\nc" },
      { kind: "wheel", lines: 3, row: 1 },
      { kind: "click", row: 1, column: 2 },
    ]);
  });

  test("switches kitty's keys on where the terminal has them, and off again", () => {
    const { port, screen, events } = terminal(() => ({ lines: [] }));
    screen.start();
    port.feed("\x1b[?0u");
    expect([port.written.includes("\x1b[>5u"), events]).toEqual([true, []]);
    screen.stop();
    expect(port.written).toContain("\x1b[<u");
  });

  test("is lent and returned, even if the other program fails", async () => {
    const { port, screen } = terminal(() => ({ lines: ["a"] }));
    screen.start();
    const during = await screen.lend(async () => [(await shown(port)).type, port.isStarted]);
    await expect(screen.lend(() => Promise.reject(new Error("no editor")))).rejects.toThrow("no editor");
    expect([during, (await shown(port)).lines[0], port.isStarted]).toEqual([["normal", false], "a", true]);
  });

  test("draws nothing once it was given back", () => {
    const { port, screen } = terminal(() => ({ lines: ["a"] }));
    screen.start();
    screen.restoreNow();
    port.written = "";
    screen.drawNow();
    screen.requestDraw();
    screen.restoreNow();
    expect(port.written).toBe("");
  });
});

test("the clipboard of another machine is left alone", () => {
  expect([
    clipboardProgram({ SSH_TTY: "/dev/pts/1", DISPLAY: ":0" }, "linux"),
    clipboardProgram({ DISPLAY: ":0" }, "linux"),
    clipboardProgram({}, "darwin"),
    clipboardProgram({}, "linux"),
  ]).toEqual([undefined, ["xclip", "-selection", "clipboard"], ["pbcopy"], undefined]);
});
