import type { ImageBlock } from "@bough/session/entry/index.js";
import { describe, expect, it } from "vitest";
import { endless, harness, tool } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";

const image = (data: string): ImageBlock => ({ type: "image", data, mimeType: "image/png" });

/** Prompts of the path: text, and the data of their images. */
function prompts(session: ReturnType<typeof harness>["session"]): unknown[] {
  return session.getBranch().flatMap((entry): unknown[] => {
    if (entry.type !== "message" || entry.message.role !== "user") return [];
    const { content } = entry.message;
    if (typeof content === "string") return [content];
    return [content.map((block) => (block.type === "text" ? block.text : block.data))];
  });
}

describe("images of a text that waits", () => {
  it("are sent with the next step, and when the run would end", async () => {
    const look = tool({ name: "look" });
    const model = scriptedModel([{ calls: [{ id: "c1", name: "look" }] }, "seen", "done"]);
    const { agent, session } = harness({ model, tools: [look] });
    agent.subscribe((event) => {
      if (event.type !== "tool_start") return;
      agent.steer("@a.png", { images: [image("AAAA")] });
      agent.followUp("@b.png and @c.png", { images: [image("BBBB"), image("CCCC")] });
      agent.followUp("no image");
    });
    await agent.prompt("go");
    await agent.whenIdle();
    expect(prompts(session)).toEqual(["go", ["@a.png", "AAAA"], ["@b.png and @c.png", "BBBB", "CCCC"], "no image"]);
    expect(JSON.stringify(model.requests[1])).toContain("AAAA");
  });

  it("are sent with the next prompt if the run is being stopped", async () => {
    const model = scriptedModel([{ calls: [{ id: "c1", name: "hang" }] }, "next"]);
    const { agent, session } = harness({ model, tools: [endless("hang")] });
    agent.subscribe((event) => {
      if (event.type !== "tool_start") return;
      agent.abort();
      agent.steer("@a.png", { images: [image("AAAA")] });
    });
    await agent.prompt("go");
    await agent.whenIdle();
    expect(prompts(session)).toEqual(["go", ["@a.png", "AAAA"]]);
  });

  it("are a prompt if nothing runs, and the names are returned if they cannot be sent", async () => {
    const failure = { kind: "auth", message: "The key is wrong", retryable: false } as const;
    const model = scriptedModel([
      () => {
        agent.steer("@b.png", { images: [image("BBBB")] });
        return { failure };
      },
    ]);
    const { agent, session, events } = harness({ model });
    const delivery = agent.steer("@a.png", { images: [image("AAAA")] });
    expect(delivery.kind === "run" && (await delivery.outcome).kind).toBe("failed");
    await agent.whenIdle();
    expect(prompts(session)).toEqual([["@a.png", "AAAA"]]);
    expect(events.find(({ type }) => type === "queue_returned")).toMatchObject({ steering: ["@b.png"] });
  });

  it("are announced to the person where the model takes none", async () => {
    const model = scriptedModel([{ calls: [{ id: "c1", name: "look" }] }, "seen"]);
    const blind = { ...model, info: { ...model.info, images: false } };
    const { agent, events } = harness({ model: blind, tools: [tool({ name: "look" })] });
    agent.subscribe((event) => {
      if (event.type === "tool_start") agent.steer("@a.png", { images: [image("AAAA")] });
    });
    await agent.prompt("go");
    expect(events.filter(({ type }) => type === "notice")).toMatchObject([
      { level: "warning", hint: "Choose a model that supports images." },
    ]);
  });
});
