import { describe, expect, it } from "vitest";
import { buildSessionContext, INTERRUPTED_RESULT, LEFT_OUT_RESULT, type SessionContext } from "./index.js";
import { answer, type Content, call, result, START, says, tree, user } from "./tree-notation.test-support.js";

function contextOf(drawing: string, contents: Readonly<Record<string, Content>> = {}): SessionContext {
  const { entries, leafId } = tree(drawing, contents);
  return buildSessionContext(entries, leafId);
}

/** The context in short: each message as its text. */
function shown(drawing: string, contents: Readonly<Record<string, Content>> = {}): string[] {
  return contextOf(drawing, contents).messages.map((message) => {
    if ("summary" in message) return `[${message.summary}]`;
    if ("output" in message) return `$ ${message.output}`;
    if (typeof message.content === "string") return message.content;
    return message.content.map((b) => (b.type === "text" ? b.text : b.type)).join("+");
  });
}

const compaction = (firstKeptEntryId?: unknown, summary: unknown = "S"): Content => ({
  type: "compaction",
  summary,
  firstKeptEntryId,
  tokensBefore: 10,
});
const edit = (targetId: string, replacement: unknown): Content => ({ type: "context_edit", targetId, replacement });

const EMPTY: SessionContext = { messages: [], thinkingLevel: "off", model: null, mode: "none", injectedRules: [] };

describe("a reset, as oh-my-pi's /clear leaves it", () => {
  const reset: Content = { type: "reset_boundary" };

  it("starts the context over: nothing above it is shown, and a summary above it neither", () => {
    expect(shown("a-b-r-c*", { r: reset })).toEqual(["c"]);
    expect(shown("a-k-b-r-c*", { k: compaction("a"), r: reset })).toEqual(["c"]);
    expect(shown("a-b-r*", { r: reset })).toEqual([]);
  });

  it("is passed by a later compaction, which keeps what it keeps", () => {
    expect(shown("a-r-b-k-c*", { r: reset, k: compaction("b") })).toEqual(["[S]", "b", "c"]);
    expect(shown("a-r-b-k-c*", { r: reset, k: compaction("a") })).toEqual(["[S]", "a", "b", "c"]);
  });

  it("leaves the state unchanged", () => {
    const contents = { m: { type: "model_change", provider: "p", modelId: "m" }, r: reset };
    expect(contextOf("a-m-r-b*", contents)).toMatchObject({ model: { provider: "p", modelId: "m" } });
  });

  it("on another branch changes nothing here", () => {
    expect(shown("a-b-r; b-c*", { r: reset })).toEqual(["a", "b", "c"]);
  });
});

describe("the path", () => {
  it("is empty before the first entry", () => {
    expect(buildSessionContext(tree("a-b").entries, null)).toEqual(EMPTY);
    expect(buildSessionContext([])).toEqual(EMPTY);
  });

  it("shows the messages from root to leaf and no other branch", () => {
    expect(contextOf("a-b-c; b-d*")).toEqual({ ...EMPTY, messages: [user("a"), user("b"), user("d")] });
  });

  it("shows nothing for labels, names, extension state, usage, unknown types and unreadable entries", () => {
    const contents = {
      l: { type: "label", targetId: "a", label: "x" },
      s: { type: "session_info", name: "x" },
      c: { type: "custom", customType: "x", data: { messages: ["no"] } },
      u: { type: "usage", kind: "summary", provider: "p", model: "m", usage: {} },
      d: { type: "unreadable", reason: "cut" },
    };
    expect(contextOf("a-l-s-c-u-d-b*", contents)).toEqual({ ...EMPTY, messages: [user("a"), user("b")] });
  });

  it("turns branch summaries and extension messages into messages with the time of their entry", () => {
    const contents = {
      b: { type: "branch_summary", fromId: "x", summary: "tried it" },
      c: { type: "custom_message", customType: "ext", content: "note", display: false, details: { n: 1 } },
      e: { type: "branch_summary", fromId: "x", summary: "" },
    };
    expect(contextOf("a-b-c-e*", contents).messages).toEqual([
      user("a"),
      { role: "branchSummary", summary: "tried it", fromId: "x", timestamp: START + 1000 },
      {
        role: "custom",
        customType: "ext",
        content: "note",
        display: false,
        details: { n: 1 },
        timestamp: START + 2000,
      },
    ]);
  });
});

describe("a compaction", () => {
  it("shows its summary, then what it keeps, then what follows", () => {
    expect(contextOf("a-b-c-k-d*", { k: compaction("b") }).messages).toEqual([
      { role: "compactionSummary", summary: "S", tokensBefore: 10, timestamp: START + 3000 },
      user("b"),
      user("c"),
      user("d"),
    ]);
  });

  it.each([
    ["itself", "k"],
    ["an entry that is not in the session", "gone"],
    ["an entry on another branch", "x"],
    ["an entry below it", "d"],
    ["nothing", undefined],
    ["something that is not an id", { id: "a" }],
  ])("keeps nothing where it names %s", (_, anchor) => {
    expect(shown("a-b-k-d; b-x; d-e*", { k: compaction(anchor) })).toEqual(["[S]", "d", "e"]);
  });

  it("hides earlier compactions, also inside what it keeps", () => {
    const contents = { k: compaction("a", "old"), m: compaction("b", "new") };
    expect(shown("a-b-k-c-m-d*", contents)).toEqual(["[new]", "b", "c", "d"]);
  });

  it("on another branch does not count", () => {
    expect(shown("a-b-k; b-c*", { k: compaction("b") })).toEqual(["a", "b", "c"]);
  });

  it("bounds the context even where its summary is missing", () => {
    expect(contextOf("a-k-b*", { k: { type: "compaction" } }).messages).toEqual([
      { role: "compactionSummary", summary: "", tokensBefore: 0, timestamp: START + 1000 },
      user("b"),
    ]);
  });

  it("leaves out results whose call it cut off", () => {
    const contents = { c: says(answer(call("1"))), r: says(result("1")), k: compaction("r") };
    expect(shown("a-c-r-k-b*", contents)).toEqual(["[S]", "b"]);
  });
});

describe("the state", () => {
  const level = (thinkingLevel: unknown): Content => ({ type: "thinking_level_change", thinkingLevel });
  const model = (fields: object): Content => ({ type: "model_change", ...fields });

  it("is the latest on the path, also above a compaction", () => {
    const contents = {
      t: level("high"),
      m: model({ provider: "p", modelId: "m" }),
      o: { type: "mode_change", mode: "plan", data: { step: 1 } },
      i: { type: "ttsr_injection", injectedRules: ["one", "two"] },
      k: compaction("k"),
    };
    expect(contextOf("a-t-m-o-i-k*", contents)).toEqual({
      messages: [{ role: "compactionSummary", summary: "S", tokensBefore: 10, timestamp: START + 5000 }],
      thinkingLevel: "high",
      model: { provider: "p", modelId: "m" },
      mode: "plan",
      injectedRules: ["one", "two"],
      modeData: { step: 1 },
    });
  });

  it("takes the nearest of several and ignores other branches", () => {
    const contents = { t: level("low"), h: level("high"), x: level("xhigh"), i: ruleList(["a"]), j: ruleList(["b"]) };
    const { thinkingLevel, injectedRules } = contextOf("t-h-i-j-a; j-x; j-b*", contents);
    expect({ thinkingLevel, injectedRules }).toEqual({ thinkingLevel: "high", injectedRules: ["b"] });
  });

  it("reads a thinking level of null as off and passes over one that is not a level", () => {
    expect(contextOf("t-n*", { t: level("low"), n: level(null) }).thinkingLevel).toBe("off");
    expect(contextOf("t-n*", { t: level("low"), n: level(7) }).thinkingLevel).toBe("low");
  });

  it("has no mode data where the latest mode change carries none", () => {
    const contents = { o: { type: "mode_change", mode: "plan", data: 1 }, p: { type: "mode_change", mode: "none" } };
    expect(contextOf("o-p*", contents)).toEqual({ ...EMPTY, mode: "none" });
  });

  it("takes the model from whichever is nearer, a change or an answer", () => {
    const contents = { c: says(answer("hi")), m: model({ provider: "p", modelId: "m" }) };
    expect(contextOf("m-a-c-b*", contents).model).toEqual({ provider: "acme", modelId: "m-1" });
    expect(contextOf("c-m-b*", contents).model).toEqual({ provider: "p", modelId: "m" });
    expect(contextOf("c-k*", { ...contents, k: compaction("k") }).model).toEqual({ provider: "acme", modelId: "m-1" });
  });

  it("splits the dialect of one model string at the first slash", () => {
    const contents = { m: model({ model: "router/maker/model", role: "default" }) };
    expect(contextOf("m*", contents).model).toEqual({ provider: "router", modelId: "maker/model" });
  });

  it.each([
    ["is for another role", { model: "p/m", role: "smol" }],
    ["has no provider", { model: "m" }],
    ["has half of the names", { provider: "p" }],
    ["has odd names", { provider: 1, modelId: [] }],
  ])("passes over a model change that %s", (_, fields) => {
    const contents = { c: says(answer("hi")), m: model(fields) };
    expect(contextOf("c-m*", contents).model).toEqual({ provider: "acme", modelId: "m-1" });
  });

  it("stays the one chosen in oh-my-pi after its retry answered with another", () => {
    const contents = {
      m: model({ model: "router/maker/model", role: "default" }),
      t: model({ model: "acme/m-1", role: "temporary", resolvedModelIsFallback: true }),
      c: says(answer("hi")),
      p: model({ provider: "p", modelId: "m" }),
      d: says(answer("again")),
    };
    const chosen = { provider: "router", modelId: "maker/model" };
    expect(contextOf("m-a-t-c*", contents).model).toEqual(chosen);
    expect(contextOf("m-a-c-b*", contents).model).toEqual(chosen);
    expect(contextOf("m-a-t-c-k-b*", { ...contents, k: compaction("k") }).model).toEqual(chosen);
    expect(contextOf("c-t-d*", contents).model).toEqual({ provider: "acme", modelId: "m-1" });
    expect(contextOf("m-c-p-b*", contents).model).toEqual({ provider: "p", modelId: "m" });
    expect(contextOf("m-c-p-d*", contents).model).toEqual({ provider: "acme", modelId: "m-1" });
  });

  it("passes over an answer that does not name its model", () => {
    const contents = { m: model({ provider: "p", modelId: "m" }), c: says({ role: "assistant", content: [] }) };
    expect(contextOf("m-c*", contents).model).toEqual({ provider: "p", modelId: "m" });
  });

  function ruleList(injectedRules: string[]): Content {
    return { type: "ttsr_injection", injectedRules };
  }
});

describe("a context edit", () => {
  it("leaves its target out", () => {
    expect(shown("a-b-c-e*", { e: edit("b", null) })).toEqual(["a", "c"]);
  });

  it("replaces content in the form the role needs", () => {
    const contents = {
      b: says(answer("long")),
      c: says(answer(call("1"))),
      d: says(result("1")),
      f: { type: "custom_message", customType: "x", content: "long", display: true },
      e: edit("a", "A"),
      g: edit("b", "B"),
      h: edit("d", [{ type: "text", text: "D" }]),
      i: edit("f", "F"),
    };
    expect(contextOf("a-b-c-d-f-e-g-h-i*", contents).messages).toEqual([
      user("A"),
      answer("B"),
      answer(call("1")),
      result("1", "D"),
      { role: "custom", customType: "x", content: "F", display: true, timestamp: START + 4000 },
    ]);
  });

  it("replaces the text of summaries and the output of commands", () => {
    const contents = {
      b: { type: "branch_summary", fromId: "x", summary: "long" },
      s: says({ role: "bashExecution", command: "ls", output: "long", cancelled: false, truncated: false }),
      k: compaction("a"),
      e: edit("b", "B"),
      f: edit("k", [{ type: "text", text: "K" }]),
      g: edit("s", "out"),
    };
    expect(shown("a-b-s-k-e-f-g*", contents)).toEqual(["[K]", "a", "[B]", "$ out"]);
    expect(shown("a-k-e*", { k: compaction("a"), e: edit("k", null) })).toEqual(["a"]);
  });

  it("counts only as the latest for its target, and only on its branch", () => {
    expect(shown("a-b-e-f; e-g*", { e: edit("a", "A"), f: edit("a", null), g: edit("b", "B") })).toEqual(["A", "B"]);
    expect(shown("a-e-f*", { e: edit("a", null), f: edit("a", "back") })).toEqual(["back"]);
  });

  it("does nothing to a target that is hidden, unknown or below it, and nothing where it is odd itself", () => {
    const contents = {
      k: compaction("c"),
      e: edit("a", "no"),
      f: edit("gone", "no"),
      g: edit("z", "no"),
      h: edit("c", 7),
      i: { type: "context_edit", replacement: null },
    };
    expect(shown("a-c-k-e-f-g-h-i-z*", contents)).toEqual(["[S]", "c", "z"]);
  });

  it("is read in the form pi writes it, text or list", () => {
    const contents = {
      e: edit("a", { content: "A" }),
      f: edit("b", { content: [{ type: "text", text: "B" }] }),
      g: edit("c", { text: "no" }),
    };
    expect(contextOf("a-b-c-e-f-g*", contents).messages).toEqual([
      user("A"),
      { ...user("b"), content: [{ type: "text", text: "B" }] },
      user("c"),
    ]);
  });

  it("of an answer drops its calls and with them their results", () => {
    const contents = { c: says(answer(call("1"))), r: says(result("1")), e: edit("c", "done") };
    expect(contextOf("a-c-r-e*", contents).messages).toEqual([user("a"), answer("done")]);
  });

  it("of an answer drops the provider's own copy of it", () => {
    const contents = { c: says({ ...answer("secret"), providerPayload: { items: ["secret"] } }), e: edit("c", "gone") };
    expect(contextOf("c-e*", contents).messages).toEqual([answer("gone")]);
  });

  it("that omits a result says so in its place", () => {
    const contents = { c: says(answer(call("1"), call("2"))), r: says(result("1")), e: edit("r", null) };
    expect(contextOf("c-r-e*", contents).messages).toEqual([
      answer(call("1"), call("2")),
      result("1", LEFT_OUT_RESULT),
      { ...result("2", INTERRUPTED_RESULT), isError: true, timestamp: 7 },
    ]);
  });
});

describe("odd messages", () => {
  it.each<[string, unknown, unknown[]]>([
    ["no message", null, []],
    ["a list for a message", [], []],
    ["no role", { content: "x" }, []],
    ["a user message without content", { role: "user", content: null }, []],
    ["a number for content", { role: "user", content: 7 }, [{ role: "user", content: "7" }]],
    ["an object for content", { role: "user", content: { a: 1 } }, [{ role: "user", content: '{"a":1}' }]],
    [
      "blocks that are not blocks",
      { role: "user", content: ["hi", null, 3, { type: "text" }, { type: "image", data: 1 }, { type: "other" }] },
      [{ role: "user", content: [{ type: "text", text: "hi" }, { type: "other" }] }],
    ],
    [
      "an answer as a string",
      { role: "assistant", content: "hi" },
      [{ role: "assistant", content: [{ type: "text", text: "hi" }] }],
    ],
    ["an answer without content", { role: "assistant" }, [{ role: "assistant", content: [] }]],
    [
      "a call without an id",
      { role: "assistant", content: [{ type: "toolCall", name: "x" }] },
      [{ role: "assistant", content: [] }],
    ],
    [
      "an older role",
      { role: "hookMessage", customType: "h", content: "x" },
      [{ role: "custom", customType: "h", content: "x" }],
    ],
    ["a sibling's role", { role: "fileMention", files: [] }, [{ role: "fileMention", files: [] }]],
    ["a result without an id", { role: "toolResult", content: "x" }, []],
  ])("%s", (_, message, messages) => {
    expect(contextOf("a*", { a: says(message) }).messages).toEqual(messages);
  });

  it("a result with a string for content and no tool name gets both in order", () => {
    const contents = { c: says(answer(call("1"))), r: says({ role: "toolResult", toolCallId: "1", content: "ok" }) };
    expect(contextOf("c-r*", contents).messages).toEqual([
      answer(call("1")),
      { role: "toolResult", toolCallId: "1", toolName: "read", content: [{ type: "text", text: "ok" }] },
    ]);
  });

  it("an unreadable time is 0 and one without a zone is UTC", () => {
    const summaryAt = (timestamp: unknown) => ({ type: "branch_summary", fromId: "x", summary: "s", timestamp });
    const times = [
      "yesterday",
      "2025-01-01",
      null,
      "2025-01-01T00:00:01",
      "2025-01-01T02:00:00.5+02:00",
      "9999-99-99T99:99Z",
    ];
    expect(
      times.map((time) => contextOf("b*", { b: summaryAt(time) }).messages.map((message) => message.timestamp)),
    ).toEqual([[0], [0], [0], [START + 1000], [START + 500], [0]]);
  });
});
