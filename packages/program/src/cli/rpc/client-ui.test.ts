import { describe, expect, it } from "vitest";
import { ClientQuestions } from "./client-questions.js";

function client() {
  const sent: object[] = [];
  const questions = new ClientQuestions({ send: (line) => void sent.push(line) });
  return { sent, questions, ui: questions.ui(() => {}) };
}

describe("what extensions show over RPC", () => {
  it("sends the client status, lines, title and text, and nothing that needs a screen", async () => {
    const { sent, ui } = client();
    ui.setStatus("build", "3 of 7");
    ui.setStatus("build", undefined);
    ui.setWidget("todo", ["one", "two"]);
    ui.setWidget("todo", undefined, { placement: "belowEditor" });
    ui.setWidget("todo", () => ({ render: () => ["drawn"] }));
    ui.setTitle("tests");
    ui.setEditorText("fix it");
    ui.setHeader(() => ({ render: () => ["drawn"] }));
    expect(await ui.custom(() => ({ render: () => ["drawn"] }))).toBeUndefined();
    expect(sent).toEqual([
      { event: { type: "ui_status", key: "build", text: "3 of 7" } },
      { event: { type: "ui_status", key: "build", text: null } },
      { event: { type: "ui_widget", key: "todo", lines: ["one", "two"], placement: "aboveEditor" } },
      { event: { type: "ui_widget", key: "todo", lines: null, placement: "belowEditor" } },
      { event: { type: "ui_title", title: "tests" } },
      { event: { type: "ui_editor_text", text: "fix it" } },
    ]);
  });

  it("closes a question after its timeout, with the answer for no user", async () => {
    const { sent, ui } = client();
    expect(await ui.confirm("Deploy?", "now", { timeout: 1 })).toBe(false);
    expect(sent).toEqual([
      { id: "ui-1", method: "ui.confirm", params: { title: "Deploy?", message: "now", timeout: 1 } },
      { event: { type: "question_closed", id: "ui-1" } },
    ]);
  });

  it("closes a question with its signal, and asks nothing once the signal has fired", async () => {
    const { sent, ui } = client();
    const closing = new AbortController();
    const answer = ui.select("Which?", ["a", "b"], { signal: closing.signal });
    closing.abort();
    expect([await answer, await ui.input("Name", "x", { signal: closing.signal })]).toEqual([undefined, undefined]);
    expect(sent.map((line) => ("event" in line ? line.event : "asked"))).toEqual([
      "asked",
      { type: "question_closed", id: "ui-1" },
    ]);
  });

  it("withdraws what extensions asked and show on a reload, but no question of the agent", async () => {
    const { sent, questions, ui } = client();
    ui.setStatus("build", "3 of 7");
    ui.setStatus("gone", "x");
    ui.setStatus("gone", undefined);
    ui.setWidget("todo", ["one"], { placement: "belowEditor" });
    const permission = questions.permission({ tool: "bash", action: "run", target: "x", shown: "x", warnings: [] });
    const asked = [ui.confirm("Sure?"), ui.editor("Text")];
    sent.length = 0;
    ui.reset?.();
    ui.reset?.();
    expect(await Promise.all(asked)).toEqual([false, undefined]);
    expect(sent).toEqual([
      { event: { type: "question_closed", id: "ui-2" } },
      { event: { type: "question_closed", id: "ui-3" } },
      { event: { type: "ui_status", key: "build", text: null } },
      { event: { type: "ui_widget", key: "todo", lines: null, placement: "belowEditor" } },
    ]);
    questions.answer("ui-1", "once");
    expect(await permission).toBe("once");
  });

  it.each([0, Number.POSITIVE_INFINITY])("waits with the timeout %s", async (timeout) => {
    const { sent, questions, ui } = client();
    const asked = ui.confirm("Deploy?", undefined, { timeout });
    questions.answer("ui-1", true);
    expect(await asked).toBe(true);
    expect(sent).toEqual([{ id: "ui-1", method: "ui.confirm", params: { title: "Deploy?" } }]);
  });
});
