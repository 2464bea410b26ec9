import { describe, expect, test } from "vitest";
import { drawSession, operationParts } from "../operation-parts.test-support.js";
import { editContext } from "./edit-context.js";

describe("editing the context", () => {
  test("leaves an entry out, replaces it, and takes the edit back; the entry stays as it is", () => {
    const session = drawSession("A-b-C*");
    const on = operationParts({ session });
    const original = session.getEntry("A");
    const { messages } = session.buildSessionContext();
    editContext(on, { targetId: "A", edit: { kind: "leave-out" } });
    expect(session.buildSessionContext().messages.map(({ role }) => role)).toEqual(["assistant", "user"]);
    editContext(on, { targetId: "A", edit: { kind: "replace", content: "shorter" } });
    expect(session.buildSessionContext().messages[0]).toMatchObject({ role: "user", content: "shorter" });
    editContext(on, { targetId: "A", edit: { kind: "original" } });
    expect(session.buildSessionContext().messages).toEqual(messages);
    expect(session.getEntry("A")).toEqual(original);
  });

  test("the same edit twice adds nothing, and neither does taking back what was never edited", () => {
    const on = operationParts({ session: drawSession("A-b-C*") });
    expect(editContext(on, { targetId: "A", edit: { kind: "original" } })).toBeUndefined();
    expect(editContext(on, { targetId: "A", edit: { kind: "leave-out" } })).toBe("n1");
    expect(editContext(on, { targetId: "A", edit: { kind: "leave-out" } })).toBeUndefined();
  });

  test("works on this path and on what the model is shown only", () => {
    const session = drawSession("A-k*; A-D", { k: (on) => void on.appendThinkingLevelChange("low") });
    const on = operationParts({ session });
    const edit = { kind: "leave-out" } as const;
    expect(() => editContext(on, { targetId: "D", edit })).toThrow(
      expect.objectContaining({ code: "not-on-this-path" }),
    );
    expect(() => editContext(on, { targetId: "k", edit })).toThrow(expect.objectContaining({ code: "no-content" }));
    expect(() => editContext(on, { targetId: "z", edit })).toThrow(
      expect.objectContaining({ code: "entry-not-found" }),
    );
  });
});
