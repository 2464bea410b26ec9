import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lines } from "@bough/agent/agent/agent-harness.test-support.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import type { ExtensionApi } from "@bough/agent/extension/index.js";
import { createTools } from "@bough/agent/tool/index.js";
import { isPrompt } from "@bough/session/entry/index.js";
import { describe, expect, test, vi } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { embedded } from "./embedded-agent.js";

describe("on", () => {
  test("returns the function that ends the subscription", async () => {
    const heard: string[] = [];
    let end = () => {};
    const extension = (bough: ExtensionApi) => {
      bough.on("agent_start", () => {
        heard.push("once");
        end();
      });
      end = bough.on("agent_end", () => void heard.push("never"));
    };
    const { agent } = await embedded({ model: scriptedModel(["a", "b"]), extensions: [extension] });
    await agent.prompt("x");
    await agent.prompt("y");
    expect(heard).toEqual(["once", "once"]);
  });

  test("an event that does not exist is ignored, and told once with the one that may be meant", async () => {
    const extension = (bough: ExtensionApi) => {
      for (let i = 0; i < 2; i++) bough.on("tool_calls", () => {});
      bough.on("context_with_system" as "context", () => {});
      bough.on("agent_end", () => void heard.push("agent_end"));
    };
    const heard: string[] = [];
    const { agent, problems } = await embedded({ model: scriptedModel(["a"]), extensions: [extension] });
    await agent.prompt("x");
    expect(heard).toEqual(["agent_end"]);
    expect(problems).toEqual([
      {
        extension: "ext1",
        event: "register",
        message: "unknown event tool_calls; handler ignored; did you mean tool_call?",
      },
      {
        extension: "ext1",
        event: "register",
        message:
          "context_with_system is not fired by Bough: the system prompt is not a message; use context and before_agent_start",
      },
    ]);
  });
});

describe("what extensions bring", () => {
  test("a model of an extension is chosen by name, and gone once it is taken back", async () => {
    let api: ExtensionApi | undefined;
    const own = scriptedModel(["from my own"]);
    const extension = (bough: ExtensionApi) => {
      api = bough;
      bough.registerModel(own);
    };
    const { agent } = await embedded({ model: scriptedModel(["a"]), extensions: [extension] });
    const { provider, id } = own.info;
    agent.setModel(agent.registry.resolve(`${provider}/${id}`));
    expect(await agent.prompt("x")).toMatchObject({ kind: "done", message: { content: [{ text: "from my own" }] } });
    api?.unregisterModel(provider, id);
    expect(() => agent.registry.resolve(`${provider}/${id}`)).toThrow();
  });

  test("extensions hear of MCP servers that are registered and taken back; an agent without servers takes none", async () => {
    const heard: string[][] = [];
    let api: ExtensionApi | undefined;
    const server = { command: process.execPath, args: ["--version"], disabled: true };
    const extension = (bough: ExtensionApi) => {
      api = bough;
      bough.registerMcpServer("first", server);
      bough.on("mcp_servers_change", ({ servers }) => void heard.push(servers.map(({ name }) => name)));
    };
    const made = await embedded({ model: scriptedModel([]), extensions: [extension] });
    expect(made.agent.servers?.list().map(({ name, state }) => [name, state.kind])).toEqual([["first", "disabled"]]);
    api?.registerMcpServer("second", server);
    api?.unregisterMcpServer("first");
    await vi.waitFor(() => expect(heard).toEqual([["first", "second"], ["second"]]));
    expect(made.agent.servers?.list().map(({ name }) => name)).toEqual(["second"]);
    expect(api?.getMcpServers()).toEqual([{ name: "second", config: server, extensionPath: "<ext1>" }]);
    const take = (bough: ExtensionApi) => {
      api = bough;
    };
    const without = await embedded({ model: scriptedModel([]), extensions: [take] });
    expect(() => api?.registerMcpServer("third", server)).toThrow("this agent takes no servers");
    await Promise.all([made.agent.dispose(), without.agent.dispose()]);
  });

  test("only the first yes or no about a project's trust counts", async () => {
    const extensions = (["undecided", "no", "yes"] as const).map((trusted) => (bough: ExtensionApi) => {
      bough.on("project_trust", () => ({ trusted }));
    });
    const { runner } = await embedded({ model: scriptedModel([]), extensions });
    const answers = await runner.emit<"project_trust">({ type: "project_trust", cwd: "/work" });
    expect(answers.map(({ result }) => result)).toEqual([{ trusted: "undecided" }, { trusted: "no" }]);
  });

  test("settings are a copy", async () => {
    let api: ExtensionApi | undefined;
    const take = (bough: ExtensionApi) => {
      api = bough;
    };
    await embedded({ model: scriptedModel([]), extensions: [take] });
    const settings = api?.getSettings() ?? {};
    settings.compaction = "changed";
    expect(api?.getSettings().compaction).toMatchObject({ enabled: true });
  });
});

describe("sessions", () => {
  test("session_start and session_shutdown say why, for the first session and for those after it", async () => {
    const heard: unknown[] = [];
    const extension = (bough: ExtensionApi) => {
      bough.on("session_start", ({ reason, previousSessionFile }, { sessionManager }) => {
        heard.push(["start", reason, previousSessionFile, sessionManager.getSessionFile()]);
      });
      bough.on("session_shutdown", ({ reason, targetSessionFile }) => {
        heard.push(["shutdown", reason, targetSessionFile]);
      });
    };
    const { agent, session } = await embedded({ model: scriptedModel(["a"]), extensions: [extension] });
    await agent.prompt("x");
    const first = session.getSessionFile();
    const [user] = session.getBranch().filter(({ type }) => type === "message");
    await agent.fork(user?.id ?? "", { position: "at" });
    const second = session.getSessionFile();
    await agent.openSession(first ?? "");
    await agent.newSession();
    const third = session.getSessionFile();
    await agent.dispose();
    expect(heard).toEqual([
      ["start", "startup", undefined, first],
      ["shutdown", "fork", undefined],
      ["start", "fork", first, second],
      ["shutdown", "resume", first],
      ["start", "resume", second, first],
      ["shutdown", "new", undefined],
      ["start", "new", first, third],
      ["shutdown", "quit", undefined],
    ]);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  test("session_info_changed has the new name", async () => {
    const heard: unknown[] = [];
    const extension = (bough: ExtensionApi) => bough.on("session_info_changed", ({ name }) => void heard.push(name));
    const { agent } = await embedded({ model: scriptedModel(["a"]), extensions: [extension] });
    await agent.prompt("x");
    agent.rename("parser work");
    await agent.whenIdle();
    expect(heard).toEqual(["parser work"]);
  });

  test("session_compact_failed is told when a compaction is cancelled or fails", async () => {
    const heard: unknown[] = [];
    const extension = (bough: ExtensionApi) => {
      bough.on("session_before_compact", ({ reason, branchEntries }) => {
        heard.push([reason, branchEntries.length > 0]);
        return { cancel: true };
      });
      bough.on("session_compact_failed", ({ reason, aborted }) => void heard.push([reason, aborted]));
    };
    const { agent } = await embedded({ model: scriptedModel(["a", "b"]), extensions: [extension] });
    await agent.prompt("x");
    await agent.prompt("y");
    expect(await agent.compact()).toMatchObject({ kind: "cancelled" });
    expect(heard).toEqual([
      ["manual", true],
      ["manual", true],
    ]);
  });

  test("resources_discover adds skills and prompts", async () => {
    const extension = (bough: ExtensionApi) =>
      bough.on("resources_discover", ({ cwd, reason }) => ({
        skillPaths: [join(cwd, "more", "skills")],
        promptPaths: reason === "startup" ? [join(cwd, "more", "review.md"), join(cwd, "nowhere")] : [],
      }));
    const folder = (await import("../support/temp-folder.js")).tempFolder();
    mkdirSync(join(folder, "more", "skills", "brew"), { recursive: true });
    writeFileSync(join(folder, "more", "skills", "brew", "SKILL.md"), "---\ndescription: Brews tea.\n---\nHow.");
    writeFileSync(join(folder, "more", "review.md"), "Review $1 with care.");
    const model = scriptedModel(["a"]);
    const read = (await import("@bough/agent/agent/index.js")).createTools().filter(({ name }) => name === "read");
    const { agent, session } = await embedded({ model, cwd: folder, tools: read, extensions: [extension] });
    await agent.prompt("/review it");
    expect(lines(session)).toContain("user: Review it with care.");
    expect(model.requests[0]?.system).toContain("- brew: Brews tea.");
  });
});

describe("models", () => {
  test("model_select and thinking_level_select say what was before", async () => {
    const heard: unknown[] = [];
    const extension = (bough: ExtensionApi) => {
      bough.on("model_select", ({ model, previousModel, source }) => {
        heard.push([model.id, previousModel?.id, source]);
      });
      bough.on("thinking_level_select", ({ level, previousLevel }) => void heard.push([level, previousLevel]));
    };
    const { agent } = await embedded({ model: scriptedModel(["a"]), extensions: [extension] });
    agent.setModel(scriptedModel([], { id: "other" }));
    agent.setThinkingLevel("high");
    agent.setThinkingLevel("high");
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual([
      ["other", "script", "set"],
      ["high", "off"],
    ]);
  });
});

describe("user_bash", () => {
  const run = async (extension: (bough: ExtensionApi) => void) => {
    const made = await embedded({ model: scriptedModel([]), extensions: [extension] });
    return { ...made, outcome: made.agent.runBash("echo here") };
  };

  test("a command nobody takes runs here", async () => {
    const { outcome } = await run((bough) => void bough.on("user_bash", () => undefined));
    expect((await outcome).message).toMatchObject({ output: "here", exitCode: 0 });
  });

  test("an extension gives the result", async () => {
    const { outcome, session } = await run((bough) =>
      bough.on("user_bash", ({ command, excludeFromContext }) => ({
        result: { output: `not run: ${command} ${excludeFromContext}`, exitCode: 3 },
      })),
    );
    const expected = { role: "bashExecution", output: "not run: echo here false", exitCode: 3, cancelled: false };
    expect((await outcome).message).toMatchObject(expected);
    expect(session.getBranch().at(-1)).toMatchObject({ message: expected });
  });

  test("an extension runs it elsewhere", async () => {
    const { outcome } = await run((bough) =>
      bough.on("user_bash", ({ cwd }) => ({
        operations: {
          exec: async (command, folder, { onData }) => {
            onData(Buffer.from(`${command} in ${folder === cwd}`));
            return { exitCode: 0 };
          },
        },
      })),
    );
    expect((await outcome).message).toMatchObject({ output: "echo here in true", exitCode: 0 });
  });

  test("an extension that fails blocks the command", async () => {
    const { outcome, problems, session } = await run((bough) =>
      bough.on("user_bash", () => {
        throw new Error("no luck");
      }),
    );
    await expect(outcome).rejects.toMatchObject({ code: "blocked" });
    expect(session.getEntries()).toEqual([]);
    expect(problems).toEqual([{ extension: "ext1", event: "user_bash", message: "no luck; the command was not run" }]);
  });
});

test("an extension is notified of changed files, and can keep them from being restored", async () => {
  const heard: unknown[] = [];
  const extension = (bough: ExtensionApi) => {
    bough.on("files_changed", ({ by, count, files }) => void heard.push({ by, count, files }));
    bough.on("session_before_files", ({ targetId, deleted }) => {
      heard.push({ targetId, deleted });
      return { cancel: true };
    });
  };
  const call = { name: "write", arguments: { path: "new.txt", content: "x" } };
  const model = scriptedModel([{ calls: [call] }, "done"]);
  const files = { home: tempFolder() };
  const { agent } = await embedded({ model, extensions: [extension], tools: createTools(), files, cwd: tempFolder() });
  await agent.prompt("go");
  await agent.branchInPlace(null);
  await agent.undoMove();
  const prompt = agent.session.getBranch().find(isPrompt)?.id as string;
  const moved = await agent.navigateTree(prompt, { files: "follow" });
  expect(moved.files).toEqual({ kind: "stayed", differing: 1 });
  expect(heard).toEqual([
    { by: "tool", count: 1, files: [{ path: "new.txt", change: "added" }] },
    { targetId: expect.anything(), deleted: ["new.txt"] },
  ]);
});
