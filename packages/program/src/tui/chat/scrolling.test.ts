import { SessionManager } from "@bough/session/session/index.js";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import { answer, closeChats, longSession, testChat } from "./chat-harness.test-support.js";

afterEach(closeChats);

describe("scrolling", () => {
  test("ten thousand messages open, scroll and grow at the cost of the window", () => {
    const { chat, transcript, press } = testChat({ harness: { session: longSession(5000) } });
    expect(transcript(80, 20)).toContain("○ answer 5000");
    const first = chat.cost.drawn;
    expect(first).toBeLessThan(20);
    for (let frame = 0; frame < 50; frame++) transcript(80, 20);
    expect(chat.cost.drawn).toBe(first);
    for (let page = 0; page < 100; page++) {
      press("pageup");
      transcript(80, 20);
    }
    expect(chat.cost.drawn).toBeLessThan(1200);
    expect(chat.cost.kept).toBeLessThan(4000);
    press("ctrl+home");
    expect(transcript(80, 20)).toContain("● prompt 1\n");
    expect(chat.cost.drawn).toBeLessThan(1300);
  });

  test("memory holds what is near the window, however far you scroll", () => {
    const { chat, transcript } = testChat({ harness: { session: longSession(3000) } });
    transcript(80, 20);
    for (let page = 0; page < 700; page++) chat.scrollPages(-1);
    expect(transcript(80, 20)).toContain("● prompt 1\n");
    expect(chat.cost.kept).toBeLessThan(2100);
  });

  test("the window stays where it is while things arrive, and says how many", () => {
    const { chat, transcript, session, event, press } = testChat({ harness: { session: longSession(50) } });
    transcript(80, 10);
    press("pageup");
    const before = transcript(80, 10).split("\n");
    expect(chat.following).toBe(false);
    expect(before.at(-1)).toBe(" ↓ more below · Ctrl+End");
    for (const text of ["one", "two"]) {
      const message = answer(text);
      event({ type: "message_end", entryId: session.appendMessage(message), message });
    }
    const after = transcript(80, 10).split("\n");
    expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
    expect(after.at(-1)).toBe(" ↓ 2 new · Ctrl+End");
    press("ctrl+end");
    expect([chat.following, transcript(80, 10).endsWith("○ two")]).toEqual([true, true]);
  });

  test("scrolling down to the end follows again, and a conversation that fits does not scroll", () => {
    const { chat, transcript } = testChat({ harness: { session: longSession(10) } });
    transcript(80, 10);
    chat.scrollLines(-5);
    expect(chat.following).toBe(false);
    chat.scrollLines(4);
    expect(chat.following).toBe(false);
    chat.scrollLines(1);
    expect(chat.following).toBe(true);
    transcript(80, 100);
    chat.scrollLines(-3);
    expect(chat.following).toBe(true);
  });

  test("keys go from prompt to prompt and back to the end", () => {
    const { chat, transcript, press } = testChat({ harness: { session: longSession(20) } });
    transcript(80, 10);
    press("alt+p");
    const first = transcript(80, 10).split("\n")[0];
    press("alt+p");
    expect([first, transcript(80, 10).split("\n")[0]]).toEqual(["● prompt 18", "● prompt 17"]);
    press("alt+n");
    expect(transcript(80, 10).split("\n")[0]).toBe("● prompt 18");
    press("alt+n", "alt+n", "alt+n");
    expect(chat.following).toBe(true);
  });

  test("an entry is shown and marked; one that is not on the path is not", () => {
    const session = longSession(100);
    const ids = session.getBranchIds();
    const { chat, transcript } = testChat({ harness: { session } });
    transcript(80, 10);
    expect(chat.showEntry(ids[100] as string)).toBe(true);
    expect(transcript(80, 10).split("\n").slice(0, 5)).toEqual(["", "○ answer 50", "", "❯ ● prompt 51", ""]);
    session.branch(ids[0] as string);
    expect([chat.showEntry(ids[100] as string), chat.showEntry("nowhere")]).toEqual([false, false]);
  });

  test("after a move the end of the new path is shown", () => {
    const session = longSession(100);
    const { chat, transcript } = testChat({ harness: { session } });
    transcript(80, 10);
    chat.scrollPages(-3);
    session.branch(session.getBranchIds()[3] as string);
    chat.refresh();
    expect(transcript(80, 10)).toBe("\n● prompt 1\n\n○ answer 1\n\n● prompt 2\n\n○ answer 2");
  });

  test("the window may change its size at any time", () => {
    const { chat, transcript } = testChat({ harness: { session: longSession(30) } });
    transcript(80, 10);
    chat.scrollLines(-20);
    for (const [width, height] of [
      [20, 3],
      [120, 50],
      [40, 1],
      [21, 7],
    ] as const) {
      expect(transcript(width, height)).toMatch(/answer|prompt|more below/);
    }
  });

  test("entries are read only for what the window shows, calls and results included", () => {
    const session = SessionManager.inMemory("/project");
    for (let turn = 0; turn < 1000; turn++) {
      session.appendMessage({ role: "user", content: `prompt ${turn}`, timestamp: 0 });
      const call = { type: "toolCall", id: `c${turn}`, name: "bash", arguments: { command: "ls" } } as const;
      session.appendMessage({ ...answer(""), content: [call], stopReason: "toolUse" });
      const content = [{ type: "text", text: "a\nb" }] as const;
      const result = { role: "toolResult", toolCallId: `c${turn}`, toolName: "bash", isError: false } as const;
      session.appendMessage({ ...result, content, timestamp: 0 });
    }
    const read = new Set<number>();
    const source = session.getSource();
    vi.spyOn(session, "getSource").mockReturnValue({
      get tree() {
        return source.tree;
      },
      get leaf() {
        return source.leaf;
      },
      name: undefined,
      labelOf: () => undefined,
      entryAt: (n) => {
        read.add(n);
        return source.entryAt(n);
      },
    });
    const { transcript, press } = testChat({ harness: { session } });
    expect(transcript(80, 24)).toContain("● prompt 999");
    expect(read.size).toBeLessThan(20);
    press("ctrl+home");
    expect(transcript(80, 24)).toContain("● prompt 0\n");
    expect(read.size).toBeLessThan(40);
  });

  test("whatever is pressed, folded, resized and appended, the window is filled and stays in its place", () => {
    const act = fc.oneof(
      fc.record({ kind: fc.constant("lines" as const), count: fc.integer({ min: -30, max: 30 }) }),
      fc.record({
        kind: fc.constant("key" as const),
        key: fc.constantFrom("pageup", "alt+p", "alt+n", "ctrl+home", "ctrl+end"),
      }),
      fc.record({ kind: fc.constant("fold" as const), what: fc.constantFrom("tools" as const, "block" as const) }),
      fc.record({
        kind: fc.constant("size" as const),
        width: fc.integer({ min: 20, max: 90 }),
        height: fc.integer({ min: 1, max: 30 }),
      }),
      fc.record({ kind: fc.constant("say" as const), text: fc.string({ maxLength: 200 }) }),
      fc.record({ kind: fc.constant("move" as const), to: fc.nat() }),
    );
    const check = (acts: readonly (typeof act extends fc.Arbitrary<infer Act> ? Act : never)[]): void => {
      const made = testChat({ harness: { session: longSession(8) } });
      let [width, height] = [60, 12];
      for (const one of acts) {
        if (one.kind === "lines") made.chat.scrollLines(one.count);
        else if (one.kind === "key") made.press(one.key);
        else if (one.kind === "fold") made.chat.toggle(one.what);
        else if (one.kind === "size") [width, height] = [one.width, one.height];
        else if (one.kind === "say") made.session.appendMessage({ role: "user", content: one.text, timestamp: 0 });
        else {
          const ids = made.session.getBranchIds();
          made.session.branch(ids[one.to % ids.length] as string);
        }
        const before = made.chat.following
          ? undefined
          : made
              .transcript(width, height)
              .split("\n")
              .slice(0, height - 1);
        made.chat.refresh();
        const after = made
          .transcript(width, height)
          .split("\n")
          .slice(0, height - 1);
        if (one.kind === "say" && before !== undefined && !made.chat.following) expect(after).toEqual(before);
      }
      closeChats();
    };
    fc.assert(fc.property(fc.array(act, { maxLength: 25 }), check), { numRuns: sampledRuns({ all: 60, some: 20 }) });
  });
});
