/** What a provider is sent about files that differ: over real HTTP, in the words of each protocol. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isPrompt } from "@bough/session/entry/index.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { openModel } from "../../model/index.js";
import { infoOf, PROTOCOLS, says } from "../../model/wire-protocols.test-support.js";
import { type WireServer, wireServer } from "../../model/wire-server.test-support.js";
import { createTools } from "../../tool/index.js";
import { harness } from "../agent-harness.test-support.js";

/** The conversation of a request, without the marks for caches, which move on with every request. */
function conversation(body: unknown): readonly string[] {
  const { messages, input, contents } = body as Readonly<Record<string, readonly unknown[]>>;
  const strip = (key: string, value: unknown) => (key === "cache_control" ? undefined : value);
  return (messages ?? input ?? contents ?? []).map((message) => JSON.stringify(message, strip));
}

const TOLD = "not as you last saw them";
const count = (texts: readonly string[], wanted: string) => texts.join("\n").split(wanted).length - 1;

describe.each(PROTOCOLS)("a provider that speaks $api", (protocol) => {
  let server: WireServer;
  beforeEach(async () => {
    server = await wireServer();
  });
  afterEach(() => server.close());

  function place() {
    const root = tempFolder();
    writeFileSync(join(root, "a.txt"), "one\n");
    const model = openModel({ info: infoOf(protocol, server.origin), apiKey: () => "key" });
    const made = harness({ model, cwd: root, tools: createTools(), files: { home: tempFolder() } });
    return { ...made, root };
  }
  const text = (words: string) => says(protocol, { parts: [{ text: words }], stop: "stop" });
  const edit = () =>
    says(protocol, {
      parts: [{ call: "call-1", name: "write", input: JSON.stringify({ path: "a.txt", content: "two\n" }) }],
      stop: "toolUse",
    });

  test("reports once, below the prompt, which files differ, and what was sent before is unchanged", async () => {
    const { agent, root } = place();
    server.reply(edit(), text("Done"), text("Seen"), text("Again"));
    await agent.prompt("change it");
    writeFileSync(join(root, "a.txt"), "mine\n");
    await agent.prompt("go on");
    await agent.prompt("and again");
    const [, before, told, after] = server.requests.map(({ body }) => conversation(body)) as string[][];
    expect(count(before ?? [], TOLD)).toBe(0);
    expect(count(told ?? [], TOLD)).toBe(1);
    expect(told?.join("\n")).toContain("a.txt");
    expect(count(after ?? [], TOLD)).toBe(1);
    expect(told?.slice(0, before?.length)).toEqual(before);
    expect(after?.slice(0, told?.length)).toEqual(told);
    await agent.dispose();
  });

  test("reports nothing about restored files, and reports those that stayed", async () => {
    const { agent, session } = place();
    server.reply(text("Hello"), edit(), text("Done"), text("Followed"), text("Stayed"));
    await agent.prompt("hello");
    await agent.prompt("change it");
    const changed = session.getLeafId() as string;
    const prompt = session.getBranch().filter(isPrompt).at(-1)?.id as string;
    await agent.navigateTree(prompt, { files: "follow" });
    await agent.prompt("another way");
    await agent.switchTo(changed, { files: "follow" });
    await agent.navigateTree(prompt, { files: "stay" });
    await agent.prompt("a third way");
    const [followed, stayed] = server.requests.slice(-2).map(({ body }) => conversation(body)) as string[][];
    expect([count(followed ?? [], TOLD), count(stayed ?? [], TOLD)]).toEqual([0, 1]);
    await agent.dispose();
  });
});
