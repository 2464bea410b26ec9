/** An agent whose session is on a log of the program: nothing needs a file. */

import { MemoryLog } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { harness } from "./agent-harness.test-support.js";
import { scriptedModel } from "./scripted-model.test-support.js";

/** Rows in a database that is asked in the background. */
class StoredLog extends MemoryLog {
  readonly rows: string[] = [];
  #unsaved: string[] = [];

  override write(lines: Uint8Array): number {
    const offset = super.write(lines);
    this.#unsaved.push(Buffer.from(lines).toString());
    return offset;
  }

  override async syncInBackground(): Promise<void> {
    this.rows.push(...this.#unsaved.splice(0));
  }
}

describe("an agent on a log", () => {
  test("has stored everything that was said when a turn ends, and continues from there", async () => {
    const log = new StoredLog();
    const first = harness({ model: scriptedModel(["one"]), session: SessionManager.onLog(log) });
    await first.agent.prompt("hello");
    expect(log.rows.join("")).toBe(`${first.session.toLines().join("\n")}\n`);

    const model = scriptedModel(["two"]);
    const second = harness({ model, session: SessionManager.fromLines(log.rows.join("")) });
    await second.agent.prompt("again");
    expect(second.session.buildSessionContext().messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    expect(second.session.getProblems()).toEqual([]);
  });

  test("forks, clones and starts sessions on logs that the program makes", async () => {
    const made: MemoryLog[] = [];
    const newLog = (): MemoryLog => {
      const log = new MemoryLog();
      made.push(log);
      return log;
    };
    const session = SessionManager.onLog(newLog(), { newLog });
    const { agent } = harness({ model: scriptedModel(["one", "two"]), session });
    await agent.prompt("hello");
    const told = session.toLines();
    await agent.clone();
    expect(session.toLines().slice(1)).toEqual(told.slice(1));
    await agent.newSession();
    await agent.prompt("something else");
    await agent.dispose();
    const texts = made.map((log) => log.readAt(0, log.size()).toString());
    expect([texts.length, texts[0]]).toEqual([3, `${told.join("\n")}\n`]);
    expect(texts.map((text) => SessionManager.fromLines(text).buildSessionContext().messages.length)).toEqual([
      2, 2, 2,
    ]);
  });

  test("refuses a new session if the program makes no logs, and stays where it is", async () => {
    const { agent, session } = harness({
      model: scriptedModel(["one"]),
      session: SessionManager.onLog(new MemoryLog()),
    });
    await agent.prompt("hello");
    const told = session.toLines();
    await expect(agent.newSession()).rejects.toMatchObject({ code: "no-new-log" });
    await expect(agent.clone()).rejects.toMatchObject({ code: "no-new-log" });
    expect(session.toLines()).toEqual(told);
  });
});
