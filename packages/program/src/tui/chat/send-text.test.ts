import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentSession } from "@bough/agent/agent/index.js";
import { SessionError } from "@bough/session/entry/index.js";
import { beforeEach, describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { testHost } from "../host/host.test-support.js";
import { offText } from "../keys/off-reason.js";
import { type SendOutcome, sendText, type WhenBusy } from "./send-text.js";

/** What happens to a prompt that fails with an error, and what the status line says. */
async function sent(error: Error): Promise<readonly [SendOutcome, string]> {
  let said = "";
  const agent = { isStreaming: false, prompt: () => Promise.reject(error) };
  const outcome = await sendText("hello", "steer", {
    agent: agent as unknown as AgentSession,
    host: {
      keys: testHost().keys,
      status: (message) => {
        said = offText(message);
      },
    },
    cwd: "/",
    isCommand: () => false,
    runCommand: async () => {},
  });
  return [outcome, said];
}

describe("a text that could not be sent", () => {
  test("a full disk is named before the path of the file", async () => {
    const error = new SessionError("disk-full", "Could not write to /home/somebody/sessions/one.jsonl", {
      hint: "Make room.",
    });
    expect(await sent(error)).toEqual([
      "sent",
      "Could not save the last entry: the disk is full.\nIt is kept in memory and saved as soon as there is space.",
    ]);
  });

  test("is given back where nothing was written, with the reason and the next step", async () => {
    const error = new SessionError("read-only", "This session is open to look at only", { hint: "/clone copies it." });
    expect(await sent(error)).toEqual(["kept", "This session is open to look at only\n/clone copies it."]);
  });

  test("reports what it was if it is not one of our errors", async () => {
    expect(await sent(new Error("the wire broke"))).toEqual(["sent", "the wire broke"]);
  });
});

describe("images that a text names", () => {
  let folder = "";
  beforeEach(() => {
    folder = tempFolder();
    writeFileSync(join(folder, "shot.png"), "pixels");
  });
  const image = { type: "image", data: Buffer.from("pixels").toString("base64"), mimeType: "image/png" };

  /** What the agent receives, and what the status line says. */
  async function told(text: string, state: { readonly isStreaming: boolean; readonly whenBusy?: WhenBusy }) {
    const calls: unknown[] = [];
    const says: string[] = [];
    const note =
      (name: string) =>
      async (...args: readonly unknown[]) =>
        void calls.push([name, ...args]);
    const agent = { ...state, prompt: note("prompt"), steer: note("steer"), followUp: note("followUp") };
    await sendText(text, state.whenBusy ?? "steer", {
      agent: agent as unknown as AgentSession,
      host: { keys: testHost().keys, status: (message) => says.push(offText(message)) },
      cwd: folder,
      isCommand: () => false,
      runCommand: async () => {},
    });
    return { calls, says };
  }

  test.each([
    ["prompt", { isStreaming: false }],
    ["steer", { isStreaming: true }],
    ["followUp", { isStreaming: true, whenBusy: "follow-up" }],
  ] as const)("are sent with a text that is delivered by %s", async (name, state) => {
    const text = "like @shot.png here";
    expect(await told(text, state)).toEqual({ calls: [[name, text, { images: [image] }]], says: [] });
  });

  test("one that cannot be read is named, and the text is sent while the agent works too", async () => {
    expect(await told("like @none.png", { isStreaming: true })).toEqual({
      calls: [["steer", "like @none.png", {}]],
      says: ["none.png could not be read, so only its name was sent."],
    });
  });
});
