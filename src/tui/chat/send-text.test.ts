import { describe, expect, test } from "vitest";
import type { AgentSession } from "../../agent/index.js";
import { SessionError } from "../../session/index.js";
import { testDesk } from "../desk/desk.test-support.js";
import { type SendOutcome, sendText } from "./send-text.js";

/** What becomes of a prompt that fails with an error, and what the status line says. */
async function sent(error: Error): Promise<readonly [SendOutcome, string]> {
  let said = "";
  const agent = { isStreaming: false, prompt: () => Promise.reject(error) };
  const outcome = await sendText("hello", "steer", {
    agent: agent as unknown as AgentSession,
    desk: {
      keys: testDesk().keys,
      status: (message) => {
        said = message;
      },
    },
    cwd: "/",
    isCommand: () => false,
    runCommand: async () => {},
  });
  return [outcome, said];
}

describe("a text that could not be sent", () => {
  test("a full disk is said before the path of the file", async () => {
    const error = new SessionError("disk-full", "Could not write to /home/somebody/sessions/one.jsonl", {
      hint: "Make room.",
    });
    expect(await sent(error)).toEqual([
      "sent",
      "Could not save the last entry: the disk is full. It is kept in memory and written first once there is room.",
    ]);
  });

  test("is given back where nothing was written, with the reason and the next step", async () => {
    const error = new SessionError("read-only", "This session is open to look at only", { hint: "/clone copies it." });
    expect(await sent(error)).toEqual(["kept", "This session is open to look at only. /clone copies it."]);
  });

  test("says what it was where it is no failure of ours", async () => {
    expect(await sent(new Error("the wire broke"))).toEqual(["sent", "the wire broke"]);
  });
});
