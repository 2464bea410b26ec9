import { tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { answer, drawSession, result, says, user } from "@bough/agent/agent/operation-parts.test-support.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { SessionManager as Sessions } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { type ListApp, type ListAppOptions, listApp } from "../list/screen-app.test-support.js";
import { ContextItems } from "./context-items.js";
import { openContext } from "./open-context.js";

function drawn(): SessionManager {
  return drawSession("A-b-r-c*; A-x", {
    A: says(user("read the lexer and fix it")),
    b: says(answer("I look first.", { calls: [{ id: "c1", name: "read", path: "src/lex.ts" }] })),
    r: says(result("c1", `export function lex() {}\n${"// a long line of source\n".repeat(200)}`)),
    c: says(answer("It is fixed.")),
  });
}

function contextApp(options: ListAppOptions = {}, session = drawn()): ListApp & { readonly closed: Promise<void> } {
  const made = listApp({
    ...options,
    agent: { session, systemPrompt: "You are helpful. ".repeat(30), tools: [tool({ name: "read" })] },
  });
  return { ...made, closed: openContext(made.app, { screen: "context" }) };
}

const selected = ({ host }: ListApp): string => host.lines.find((line) => line.startsWith(" ❯")) ?? "";

describe("what the model sees", () => {
  it("is listed with its size", () => {
    const { host } = contextApp();
    const at = (width: number): string => {
      host.resize({ width, height: 12 });
      return `\n${host.screen}\n`;
    };
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Context · ≈1.4k of 100k to… sort: order
       ───────────────────────────────────────
       ❯ system  instructions and pr…     128
         tools   1 tool: read              24
         prompt  read the lexer and …      11
         answer  I look first. (+ 1 …      15
         result  read: export functi…    1.3k
         answer  It is fixed.               7
       ───────────────────────────────────────
       Enter view  ? keys               1 of 6
      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "
       Context · ≈1.4k of 100k tokens (1%)  █░░░░░░░░░░░░░░░           sort: order (o)
       ───────────────────────────────────────────────────────────────────────────────
       ❯ system  instructions and project files             █                128   9%
         tools   1 tool: read                               █                 24   2%
         prompt  read the lexer and fix it                  █                 11   1%
         answer  I look first. (+ 1 tool call)              █                 15   1%
         result  read: export function lex() {} // a long … ██████████      1.3k  87%
         answer  It is fixed.                               █                  7  <1%
       ───────────────────────────────────────────────────────────────────────────────
       Enter view   ? keys                                                      1 of 6
      "
    `);
    expect(at(120)).toMatchInlineSnapshot(`
      "
       Context · ≈1.4k of 100k tokens (1%)  █░░░░░░░░░░░░░░░                                                   sort: order (o)
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       ❯ system  instructions and project files                                              ██                      128   9%
         tools   1 tool: read                                                                █                        24   2%
         prompt  read the lexer and fix it                                                   █                        11   1%
         answer  I look first. (+ 1 tool call)                                               █                        15   1%
         result  read: export function lex() {} // a long line of source // a long line of … █████████████████      1.3k  87%
         answer  It is fixed.                                                                █                         7  <1%
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       Enter view   ? keys                                                                                              1 of 6
      "
    `);
  });

  it("is sorted by size, and the selected row stays selected", () => {
    const made = contextApp();
    made.host.press("end", "o");
    expect(made.host.lines[2]).toContain("result");
    expect(selected(made)).toContain("It is fixed.");
  });

  it("can be read whole and copied", async () => {
    const { host } = contextApp();
    host.press("down", "down", "down", "down", "enter");
    expect(host.top?.name).toBe("context-message");
    expect(host.lines[2]).toContain("export function lex() {}");
    host.press("y");
    expect(host.copied[0]).toContain("a long line of source");
    host.press("esc");
    await host.settle();
    expect(host.top?.name).toBe("context");
  });

  it("omits an entry, and restores the original", async () => {
    const made = contextApp();
    const { host, session } = made;
    host.press("down", "down", "down", "down", "x");
    await host.settle();
    expect(selected(made)).toContain("[left out]");
    expect(JSON.stringify(session.buildSessionContext().messages)).not.toContain("a long line of source");
    host.press("x");
    expect(host.statusLine?.message).toBe("Already hidden. r restores it.");
    host.press("r");
    await host.settle();
    expect(selected(made)).not.toContain("[");
    expect(JSON.stringify(session.buildSessionContext().messages)).toContain("a long line of source");
    host.press("r");
    expect(host.statusLine?.message).toBe("Nothing to restore: this is the original.");
  });

  it("replaces the text of an answer and keeps its tool calls", async () => {
    const made = contextApp();
    const { host, session } = made;
    host.press("down", "down", "down", "e");
    await host.settle();
    expect(host.top?.name).toBe("context-edit");
    expect(host.screen).toContain("I look first.");
    host.type(" Quickly.");
    host.press("enter");
    await host.settle();
    await host.settle();
    expect(selected(made)).toContain("[edited]");
    expect(session.buildSessionContext().messages[1]).toMatchObject({
      role: "assistant",
      content: [
        { type: "text", text: "I look first. Quickly." },
        { type: "toolCall", id: "c1" },
      ],
    });
    expect(session.getEntry("b")).toMatchObject({ message: { content: [{ text: "I look first." }, {}] } });
  });

  it("pins and unpins", async () => {
    const made = contextApp();
    const { host, agent } = made;
    host.press("down", "down", "p");
    await host.settle();
    expect(selected(made)).toContain("[pinned]");
    expect(agent.getPins().map(({ id }) => id)).toEqual(["A"]);
    host.press("p");
    await host.settle();
    expect(agent.getPins()).toEqual([]);
  });

  it("says why its own parts cannot be changed", () => {
    const { host } = contextApp();
    host.press("e");
    expect(host.statusLine?.message).toContain("cannot be changed here.");
    host.press("t");
    expect(host.statusLine?.message).toBe("This part is not in the tree.");
  });

  it("changes nothing in a read-only session", () => {
    const { host } = contextApp({ readOnly: true });
    host.press("down", "down", "x");
    expect(host.statusLine?.message).toBe("The session is read-only.");
  });

  it("shows a row in the tree", async () => {
    const { host, asked, closed } = contextApp();
    host.press("end", "t");
    await closed;
    expect(asked).toEqual([{ screen: "tree", select: "c" }]);
  });
});

describe("what is in the context", () => {
  it("is the latest compaction, what it keeps, and what follows", () => {
    const session = drawSession("A-b-C-k-d*", { k: (on) => void on.appendCompaction("the summary", "C", 900) });
    const items = new ContextItems({ session, systemPrompt: "", tools: [] });
    items.advance(() => false);
    expect(items.items.map(({ id, kind }) => id ?? kind)).toEqual(["system", "k", "C", "d"]);
  });

  it("is read in slices", () => {
    const session = Sessions.inMemory("/project");
    for (let i = 0; i < 1000; i++) session.appendMessage(user(`prompt ${i}`));
    const items = new ContextItems({ session, systemPrompt: "", tools: [] });
    expect([items.advance(() => true), items.items.length]).toEqual(["more", 2]);
    expect([items.advance(() => false), items.items.length]).toEqual(["done", 1001]);
  });

  it("counts the text that replaces an entry", () => {
    const session = drawn();
    session.appendContextEdit("r", "short");
    const items = new ContextItems({ session, systemPrompt: "", tools: [] });
    items.advance(() => false);
    expect(items.items.find(({ id }) => id === "r")).toMatchObject({ edited: true, tokens: 2 });
  });
});
