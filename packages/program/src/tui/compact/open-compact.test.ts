import { drawSession, says, user } from "@bough/agent/agent/operation-parts.test-support.js";
import type { ScriptStep } from "@bough/agent/agent/scripted-model.test-support.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { DEFAULT_SETTINGS } from "@bough/agent/project/index.js";
import { describe, expect, it } from "vitest";
import { type ListApp, type ListAppOptions, listApp, until } from "../list/screen-app.test-support.js";
import { openCompact } from "./open-compact.js";

function drawn() {
  return drawSession("A-b-C-d-E-f*", {
    A: says(user(`wire the tokenizer. You must never use a regular expression there. ${"words ".repeat(300)}`)),
    C: says(user(`keep the generated one ${"and more words ".repeat(200)}`)),
    E: says(user("fix the failing edge cases")),
  });
}

function compactApp(
  steps: readonly ScriptStep[],
  options: ListAppOptions & { readonly about?: string } = {},
): ListApp & { readonly closed: Promise<void>; readonly model: ReturnType<typeof scriptedModel> } {
  const model = scriptedModel(steps);
  const settings = { ...DEFAULT_SETTINGS, compaction: { enabled: true, reserveTokens: 100, keepRecentTokens: 50 } };
  const made = listApp({ height: 18, ...options, agent: { session: drawn(), model, settings } });
  const { about } = options;
  const closed = openCompact(made.app, { screen: "compact", instructions: about });
  return { ...made, closed, model };
}

describe("compacting", () => {
  it("shows first what is summarised and what stays", () => {
    const { host } = compactApp([]);
    const at = (width: number): string => {
      host.resize({ width, height: 18 });
      return `\n${host.screen}\n`;
    };
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Compact                ≈1.3k tokens now
       ───────────────────────────────────────
       A summary replaces 4 entries, ≈1.2k
       tokens:
         ● wire the tokenizer. You must never…
         ● keep the generated one and more wo…

       Kept verbatim: 2 entries (≈16 tokens),
       from:
         ● fix the failing edge cases

       The session keeps everything. Files on
       disk are unchanged. You can undo it at
       any time.
       Enter write it with script  ? keys
      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "
       Compact                                                        ≈1.3k tokens now
       ───────────────────────────────────────────────────────────────────────────────
       A summary replaces 4 entries, ≈1.2k tokens:
         ● wire the tokenizer. You must never use a regular expression there. words w…
         ● keep the generated one and more words and more words and more words and mo…

       Kept verbatim: 2 entries (≈16 tokens), from:
         ● fix the failing edge cases

       The session keeps everything. Files on disk are unchanged. You can undo it at
       any time.
       Enter write it with script   w say what to keep   Esc close   ? keys
      "
    `);
  });

  it("writes the summary, reports what it may have lost, and shows it", async () => {
    const { host, session, closed } = compactApp(["## Goal\nWire the tokenizer."]);
    host.press("enter");
    await until(host, () => host.top?.name === "compacted");
    expect(
      session.getLeafEntry()?.type === "compaction" || session.getBranch().some(({ type }) => type === "compaction"),
    ).toBe(true);
    expect(host.screen).toContain("rule: You must never use a regular expression there.");
    host.press("v");
    expect(host.screen).toContain("Wire the tokenizer.");
    host.press("esc");
    await host.settle();
    host.press("enter");
    await closed;
    expect(host.top).toBeUndefined();
  });

  it("is undone with z", async () => {
    const { host, session, closed } = compactApp(["A summary."]);
    const leaf = session.getLeafId();
    host.press("enter");
    await until(host, () => host.top?.name === "compacted");
    host.press("z");
    await closed;
    expect(session.getLeafId()).toBe(leaf);
    expect(host.statusLine?.message).toContain("Compaction undone");
  });

  it("tells the model what to keep", async () => {
    const { host, model } = compactApp(["A summary."], { about: "the failing cases" });
    expect(host.screen).toContain("Keep: the failing cases");
    host.press("w");
    host.type(" and why");
    host.press("enter");
    await host.settle();
    expect(host.screen).toContain("Keep: the failing cases and why");
    host.press("enter");
    await until(host, () => host.top?.name === "compacted");
    expect(JSON.stringify(model.requests[0])).toContain("the failing cases and why");
  });

  it("is stopped by Esc and changes nothing", async () => {
    const { host, session, closed, model } = compactApp([{ text: "Half a", hang: true }]);
    const leaf = session.getLeafId();
    host.press("enter");
    await model.reached(1);
    expect(host.screen).toContain("Summarizing 4 entries");
    host.press("esc");
    await closed;
    expect(session.getLeafId()).toBe(leaf);
    expect(host.statusLine?.message).toBe("Stopped. Nothing changed.");
  });

  it("says what went wrong where the model fails", async () => {
    const failure = { kind: "auth", message: "The key was refused", retryable: false } as const;
    const { host, session, closed } = compactApp([{ failure }]);
    const leaf = session.getLeafId();
    host.press("enter");
    await closed;
    expect(session.getLeafId()).toBe(leaf);
    expect(host.statusLine?.message).toContain("The key was refused");
  });

  it("says that there is nothing to compact", async () => {
    const { app, host } = listApp({ agent: { session: drawSession("A-b*") } });
    await openCompact(app, { screen: "compact" });
    expect(host.top).toBeUndefined();
    expect(host.statusLine?.message).toContain("Nothing to compact yet");
  });
});
