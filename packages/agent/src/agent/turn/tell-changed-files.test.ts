import { answer, drawSession, result, says } from "@bough/session/session/draw-session.test-support.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { harness, lines } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";
import { planChangedFiles } from "./tell-changed-files.js";

const call = (id: string, name: string, path?: string) => says(answer("", { calls: [{ id, name, path }] }));

const changed = (session: SessionManager) => planChangedFiles(session, undefined);

/** A: two edits, one failed, and a command on the branch that is left at `b`. */
function edited(drawing: string): SessionManager {
  return drawSession(drawing, {
    e: call("1", "edit", "src/a.ts"),
    f: says(result("1")),
    g: call("2", "write", "b.ts"),
    h: says(result("2", "no", true)),
    i: call("3", "bash"),
    j: says(result("3")),
  });
}

describe("files that did not follow a move", () => {
  test("are those that other branches changed after the position was written", async () => {
    expect(await changed(edited("A-b*-C-e-f-g-h-i-j"))).toEqual({ files: ["src/a.ts"], commands: 1, from: "calls" });
    expect(await changed(edited("A-b-C-e-f-g-h-i-j*"))).toEqual({ files: [], commands: 0, from: "calls" });
    expect(await changed(edited("A-b-C-e-f; b-D*"))).toEqual({ files: [], commands: 0, from: "calls" });
    expect(await changed(edited("A-b; b-D*; b-e-f"))).toEqual({ files: ["src/a.ts"], commands: 0, from: "calls" });
  });

  test("are searched for in slices, so other work runs even if much was left behind", async () => {
    const session = drawSession("A-b*");
    const place = session.getLeafId() as string;
    const text = "x".repeat(100_000);
    for (let n = 0; n < 400; n++) {
      session.appendMessage(answer(text, { calls: [{ id: `${n}`, name: "edit", path: "a" }] }));
    }
    session.branch(place);
    const order: string[] = [];
    const planned = changed(session).then(({ files }) => order.push(...files));
    setImmediate(() => order.push("other work"));
    await planned;
    expect(order).toEqual(["other work", "a"]);
  });

  test("are named to the model once, below the next prompt, after a change of models too", async () => {
    const model = scriptedModel(["one", "two", "three"]);
    const { agent, session } = harness({ model, session: edited("A-b*-C-e-f") });
    await agent.prompt("go on");
    expect(lines(session).slice(-4)).toEqual([
      "model_change",
      "user: go on",
      expect.stringMatching(/^custom: The conversation moved .*"src\/a\.ts"$/s) as string,
      "assistant(stop): one",
    ]);
    await agent.prompt("and now");
    expect(lines(session).filter((line) => line.startsWith("custom: The conversation moved"))).toHaveLength(1);
  });

  test("are not mentioned where nothing differs", async () => {
    const { agent, session } = harness({ model: scriptedModel(["one"]), session: drawSession("A-b*-C-d") });
    await agent.prompt("go on");
    expect(lines(session).slice(-2)).toEqual(["user: go on", "assistant(stop): one"]);
    expect(session.getBranch().some(({ type }) => type === "custom_message")).toBe(false);
  });

  test("an image for a model without images is announced and kept", async () => {
    const model = scriptedModel(["seen"]);
    const blind = { ...model, info: { ...model.info, images: false } };
    const { agent, session, events } = harness({ model: blind });
    await agent.prompt("look", { images: [{ type: "image", data: "AAAA", mimeType: "image/png" }] });
    expect(events.filter(({ type }) => type === "notice")).toMatchObject([{ level: "warning" }]);
    expect(JSON.stringify(session.getBranch())).toContain("AAAA");
  });
});
