/** Sub-agents over the wire: a model server answers the agent and each sub-agent by what it was asked. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { acpDriver } from "../../driver/index.js";
import type { AgentDescription } from "../../project/index.js";
import { createPermissions, createTools, type PermissionQuestion, type Tool } from "../../tool/index.js";
import { endless, harness, opened, says, tool } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";
import { realSleep } from "../turn/sleep.js";
import { say, spawning, treeOf } from "./spawning.test-support.js";

const NO_PROJECT = { contextFiles: [], templates: [], skills: [], problems: [] };

describe("a sub-agent", () => {
  test("works on a branch below the call, knows only its task, and its answer is the result", async () => {
    const { agent, tree, server } = await spawning({
      go: [{ calls: [say("find it", { description: "Find the answer" })] }, "It is 42."],
      "find it": [{ text: "Looking.", calls: [["look", {}]] }, "The answer is 42."],
    });
    expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
    expect(agent.subAgents).toEqual([]);
    await agent.dispose();
    expect(tree()).toMatchInlineSnapshot(`
      "model_change
      prompt: go
      answer: +spawn
        sub-agent: Find the answer
          reset_boundary
          subagent.prompt: find it
          answer: Looking. +look
          result of look: look {}
          answer: The answer is 42.
          end: done
        result of spawn: The answer is 42.
        answer: It is 42. *"
    `);
    expect(server.requests.map(({ body }) => (body as { messages: unknown[] }).messages.length)).toEqual([1, 1, 3, 3]);
  });

  test("is counted once: in the session, in what the prompt used, and apart, but not on the path", async () => {
    const { agent } = await spawning({
      go: [{ calls: [say("one"), say("two")] }, "Both done."],
      one: ["1"],
      two: ["2"],
    });
    await agent.prompt("go");
    const { path, session, subAgents } = agent.getStats();
    const answers = [path, session, subAgents].map((totals) => totals?.answers);
    expect({ answers, steps: agent.runUsage.steps }).toEqual({ answers: [2, 4, 2], steps: 4 });
    const dollars = (path.usage.dollars ?? 0) + (subAgents?.usage.dollars ?? 0);
    expect(session.usage.dollars).toBeCloseTo(dollars);
    expect(agent.runUsage.dollars).toBeCloseTo(dollars);
    await agent.dispose();
  });

  test("can be opened and continued, and then that is where the session resumes", async () => {
    const { agent, session, tree } = await spawning({
      go: [{ calls: [say("find it")] }, "Done."],
      "find it": ["The answer is 42."],
      "are you sure?": ["Yes."],
    });
    await agent.prompt("go");
    const found = session.getEntries().find((entry) => JSON.stringify(entry).includes("The answer is 42."));
    await agent.switchTo(found?.id ?? "", { to: "entry" });
    await agent.prompt("are you sure?");
    await agent.dispose();
    expect(tree()).toMatchInlineSnapshot(`
      "model_change
      prompt: go
      answer: +spawn
        sub-agent: find it
          reset_boundary
          subagent.prompt: find it
          answer: The answer is 42.
            bough.position
            prompt: are you sure?
            answer: Yes. *
          end: done
        result of spawn: The answer is 42.
        answer: Done."
    `);
  });

  test("with context branch is sent the conversation first, byte for byte", async () => {
    const { agent, server } = await spawning({
      "remember 7": ["I will."],
      go: [{ calls: [say("what number?", { context: "branch" }), say("other")] }, "Done."],
      "what number?": ["7"],
      other: ["x"],
    });
    await agent.prompt("remember 7");
    await agent.prompt("go");
    const bodies = server.requests.map(({ body }) => body as { tools: unknown; system: unknown; messages: object[] });
    const sent = bodies.find(({ messages }) => JSON.stringify(messages.at(-1)).includes("what number?"));
    const parent = bodies.at(-1);
    expect(sent?.tools).toEqual(parent?.tools);
    expect(JSON.stringify(sent?.system)).toBe(JSON.stringify(parent?.system));
    // The marks for the provider's cache move along.
    const plain = (messages: readonly object[] = []) =>
      JSON.stringify(messages).replaceAll(/,"cache_control":\{[^}]*\}/g, "");
    expect(plain(sent?.messages.slice(0, 4))).toBe(plain(parent?.messages.slice(0, 4)));
    expect(plain(sent?.messages.slice(-1))).toMatchInlineSnapshot(
      `"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"call-1","content":"You are now the sub-agent that this call started, with the conversation so far. Do the task in the next message."},{"type":"tool_result","tool_use_id":"call-2","content":"This call is made by the agent that started you; its result is not known here."},{"type":"text","text":"what number?"}]}]"`,
    );
    await agent.dispose();
  });
});

describe("several", () => {
  test("run at once, as many as allowed, and their results are in the order of the calls", async () => {
    const met = opened();
    let inside = 0;
    const meet = tool({
      name: "meet",
      execute: async () => {
        inside += 1;
        if (inside === 2) met.open();
        await met.promise;
        return { content: [{ type: "text", text: "met" }] };
      },
    });
    const { agent, tree, events } = await spawning(
      {
        go: [{ calls: [say("a"), say("b"), say("c")] }, "Done."],
        a: [{ calls: [["meet", {}]] }, "A"],
        b: [{ calls: [["meet", {}]] }, "B"],
        c: ["C"],
      },
      { extraTools: [meet], spawn: { maxRunning: 2 } },
    );
    await agent.prompt("go");
    await agent.dispose();
    expect(
      tree()
        .split("\n")
        .filter((line) => line.includes("result of spawn")),
    ).toEqual(["  result of spawn: A", "  result of spawn: B", "  result of spawn: C"]);
    const started = events.flatMap((event) => (event.type === "subagent_start" ? [event.agent.state] : []));
    expect(started).toEqual(["waiting", "waiting", "waiting"]);
    const order = events.flatMap((event) =>
      event.type === "subagent_end"
        ? [event.agent.description]
        : event.type === "subagent_update" && event.agent.step === "starting"
          ? [`+${event.agent.description}`]
          : [],
    );
    expect(order.indexOf("+c")).toBeGreaterThan(Math.min(order.indexOf("a"), order.indexOf("b")));
  });

  test("beyond the limit of a prompt are refused, and the next prompt may start some again", async () => {
    const { agent, tree } = await spawning(
      {
        go: [{ calls: [say("a"), say("b")] }, "One was enough."],
        a: ["A"],
        again: [{ calls: [say("b")] }, "Done."],
        b: ["B"],
      },
      { spawn: { maxPerPrompt: 1 } },
    );
    await agent.prompt("go");
    await agent.prompt("again");
    await agent.dispose();
    expect(tree().match(/result of spawn.*/g)).toEqual([
      "result of spawn: A",
      "result of spawn (error): This prompt has started 1 sub-agents, which is the limit. Do the rest yourself.",
      "result of spawn: B",
    ]);
  });

  test("change files one call at a time, and each change belongs to the call that made it", async () => {
    const cwd = tempFolder();
    let running = 0;
    let most = 0;
    const change: Tool = {
      ...tool({
        name: "change",
        execute: async (input) => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setImmediate(resolve));
          writeFileSync(join(cwd, (input as { file: string }).file), "changed\n");
          running -= 1;
          return { content: [{ type: "text", text: "changed" }] };
        },
      }),
      readOnly: false,
    };
    const { agent, session } = await spawning(
      {
        go: [{ calls: [say("a"), say("b")] }, "Done."],
        a: [{ calls: [["change", { file: "a.txt" }]] }, "A"],
        b: [{ calls: [["change", { file: "b.txt" }]] }, "B"],
        next: ["ok"],
      },
      { cwd, extraTools: [change], files: { home: tempFolder(), onMove: "follow" } },
    );
    await agent.prompt("go");
    await agent.prompt("next");
    session.refresh();
    const records = session.getEntries().flatMap((entry) => {
      if (entry.type !== "custom" || entry.customType !== "bough.files") return [];
      const { by, tool: made, changes } = entry.data as { by: string; tool: string; changes: { path: string }[] };
      return [`${by} ${made}: ${changes.map(({ path }) => path).join(" ")}`];
    });
    expect(records.toSorted()).toMatchInlineSnapshot(`
      [
        "tool change: a.txt",
        "tool change: b.txt",
        "tool spawn: a.txt b.txt",
      ]
    `);
    expect(most).toBe(1);
    const first = session.getBranch()[0]?.id ?? "";
    const moved = await agent.navigateTree(session.getBranch()[1]?.id ?? first, { files: "follow" });
    expect(moved).toMatchObject({ cancelled: false });
    expect([existsSync(join(cwd, "a.txt")), existsSync(join(cwd, "b.txt"))]).toEqual([false, false]);
    await agent.dispose();
  });
});

describe("one that does not get to its end", () => {
  test("because its model fails: the agent is told why, and goes on", async () => {
    const { agent, tree } = await spawning({
      go: [{ calls: [say("find it")] }, "Then without."],
      "find it": [
        { text: "Looking.", calls: [["look", {}]] },
        { status: 400, text: "no such model" },
      ],
    });
    expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
    await agent.dispose();
    expect(tree()).toMatchInlineSnapshot(`
      "model_change
      prompt: go
      answer: +spawn
        sub-agent: find it
          reset_boundary
          subagent.prompt: find it
          answer: Looking. +look
          result of look: look {}
          answer:
          end: failed
        result of spawn (error): The sub-agent failed: anthropic/claude-sonnet-4-5 was not found (400): no such model
      Its last words:
      Looking.
        answer: Then without. *"
    `);
  });

  test("because the user stops it: the agent gets what it had", async () => {
    const { agent, tree, server } = await spawning({
      go: [{ calls: [say("find it")] }, "Then without."],
      "find it": [{ text: "Found one so far.", calls: [["look", {}]] }, { hang: true }],
    });
    const run = agent.prompt("go");
    await server.asked(3);
    const [running] = agent.subAgents;
    expect(running).toMatchObject({ state: "running", description: "find it", depth: 1 });
    expect(await agent.stopSubAgent(running?.id ?? "")).toBe(true);
    expect(await run).toMatchObject({ kind: "done" });
    expect(await agent.stopSubAgent(running?.id ?? "")).toBe(false);
    await agent.dispose();
    expect(tree()).toMatchInlineSnapshot(`
      "model_change
      prompt: go
      answer: +spawn
        sub-agent: find it
          reset_boundary
          subagent.prompt: find it
          answer: Found one so far. +look
          result of look: look {}
          answer: (aborted)
          end: stopped
        result of spawn (error): The sub-agent was stopped before it was done.
      Its last words:
      Found one so far.
        answer: Then without. *"
    `);
  });

  test("because the run is stopped during its tool: both branches are whole", async () => {
    const wait = endless("wait");
    const { agent, tree } = await spawning(
      {
        go: [{ calls: [say("find it")] }],
        "find it": [{ text: "Waiting.", calls: [["wait", {}]] }],
      },
      { extraTools: [wait], sleep: realSleep },
    );
    const run = agent.prompt("go");
    await wait.started;
    agent.abort();
    expect(await run).toMatchObject({ kind: "aborted" });
    await agent.dispose();
    expect(tree()).toMatchInlineSnapshot(`
      "model_change
      prompt: go
      answer: +spawn
        sub-agent: find it
          reset_boundary
          subagent.prompt: find it
          answer: Waiting. +wait
          result of wait (error): half of it
      This tool call was stopped while it was running. What it had done by then is not undone and may be incomplete.
          end: stopped
        result of spawn (error): The sub-agent was stopped before it was done.
      Its last words:
      Waiting.
      This tool call was stopped while it was running. What it had done by then is not undone and may be incomplete. *"
    `);
  });

  test("because it reached its limit of steps: the agent gets what it had", async () => {
    const { agent, tree } = await spawning(
      {
        go: [{ calls: [say("find it")] }, "Then without."],
        "find it": [
          { text: "Step one.", calls: [["look", {}]] },
          { text: "Step two.", calls: [["look", {}]] },
        ],
      },
      { spawn: { limits: { steps: 2 } } },
    );
    expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
    await agent.dispose();
    expect(tree().match(/result of spawn[\s\S]*/)?.[0]).toMatchInlineSnapshot(`
      "result of spawn (error): The sub-agent reached its limit of steps before it was done.
      Its last words:
      Step two.
        answer: Then without. *"
    `);
  });

  test("because the process was killed: the next start says so on its branch and to the agent", async () => {
    const folder = tempFolder();
    const file = join(folder, "session.jsonl");
    const script = fileURLToPath(new URL("../../../../../test/support/killed-spawn.mjs", import.meta.url));
    const child = spawnSync(process.execPath, [script, file, folder], { encoding: "utf8" });
    expect({ signal: child.signal, stderr: child.stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
    expect(treeOf(file)).toMatchInlineSnapshot(`
      "model_change
      prompt: go
      answer: Sending both. +spawn +spawn
        sub-agent: dream
        reset_boundary
        subagent.prompt: dream
        sub-agent: Dig
        reset_boundary
        subagent.prompt: dig here
        answer: Digging. +stay
        result of spawn: Started in the background: dream. You are told when it ends; continue meanwhile. *"
    `);
    const session = SessionManager.open(file);
    const model = scriptedModel(["I see."]);
    const { agent, events } = harness({ model, session });
    await agent.start();
    expect(events.flatMap((event) => (event.type === "notice" ? [event.message] : []))).toMatchInlineSnapshot(`
      [
        "The last run was killed in the middle of an answer; the partial answer was kept",
        "2 sub-agents were interrupted when Bough was stopped",
      ]
    `);
    expect(await agent.prompt("go on")).toMatchObject({ kind: "done" });
    expect(session.getProblems()).toEqual([]);
    await agent.dispose();
    const tree = treeOf(file);
    expect(tree).toMatchInlineSnapshot(`
      "model_change
      prompt: go
      answer: Sending both. +spawn +spawn
        sub-agent: dream
          reset_boundary
          subagent.prompt: dream
          answer: half a dream (aborted)
          end: interrupted
        sub-agent: Dig
          reset_boundary
          subagent.prompt: dig here
          answer: Digging. +stay
          end: interrupted
        result of spawn: Started in the background: dream. You are told when it ends; continue meanwhile.
        result of spawn (error): Bough was stopped while the sub-agent worked, so it was interrupted: Dig
      Its last words:
      Digging.
        bough.subagent_end: The sub-agent in the background has ended: dream

      Bough was stopped while the sub-agent worked, so it was interrupted: dream
      Its last words:
      half a dream
        prompt: go on
        answer: I see. *"
    `);
    const again = harness({ model, session: SessionManager.open(file) });
    await again.agent.start();
    await again.agent.dispose();
    expect(treeOf(file)).toBe(tree);
  });
});

describe("rights", () => {
  test("a sub-agent of a sub-agent cannot start another, and says why", async () => {
    const { agent, tree } = await spawning({
      go: [{ calls: [say("one")] }, "Done."],
      one: [{ calls: [say("two")] }, "1"],
      two: [{ calls: [say("three")] }, "2"],
    });
    await agent.prompt("go");
    await agent.dispose();
    expect(tree()).toMatchInlineSnapshot(`
      "model_change
      prompt: go
      answer: +spawn
        sub-agent: one
          reset_boundary
          subagent.prompt: one
          answer: +spawn
            sub-agent: two
              reset_boundary
              subagent.prompt: two
              answer: +spawn
              result of spawn (error): You are a sub-agent of a sub-agent, which cannot start others. Do it yourself.
              answer: 2
              end: done
            result of spawn: 2
            answer: 1
          end: done
        result of spawn: 1
        answer: Done. *"
    `);
  });

  test("it has the tools that were named, at most those of the agent, and calls of others are refused", async () => {
    const { agent, server, tree } = await spawning(
      {
        go: [{ calls: [say("a", { tools: ["look"] }), say("b", { tools: ["look", "bash"] })] }, "Done."],
        a: [{ calls: [["other", {}]] }, "A"],
      },
      { extraTools: [tool({ name: "other" })] },
    );
    await agent.prompt("go");
    await agent.dispose();
    const tools = server.requests.map(({ body }) =>
      (body as { tools?: { name: string }[] }).tools?.map(({ name }) => name),
    );
    expect(tools).toEqual([["spawn", "look", "other"], ["look"], ["look"], ["spawn", "look", "other"]]);
    expect(tree().match(/result of .*/g)).toMatchInlineSnapshot(`
      [
        "result of other (error): Unknown tool: other. Available tools: look.",
        "result of spawn: A",
        "result of spawn (error): You do not have these tools: bash. Choose from: spawn, look, other.",
      ]
    `);
  });

  test("its questions have its name, one after the other, and the mode is that of the agent", async () => {
    const questions: PermissionQuestion[] = [];
    const cwd = tempFolder();
    const permissions = createPermissions({
      mode: "ask",
      cwd,
      ask: async (question) => {
        questions.push(question);
        return question.by === "b" ? "no" : "once";
      },
    });
    const tools = createTools().filter(({ name }) => name === "write");
    const { agent, tree } = await spawning(
      {
        go: [{ calls: [say("a"), say("b")] }, "Done."],
        a: [{ calls: [["write", { path: "a.txt", content: "a" }]] }, "A"],
        b: [{ calls: [["write", { path: "b.txt", content: "b" }]] }, "B"],
        plan: [{ calls: [say("c")] }, "Planned."],
        c: [{ calls: [["write", { path: "c.txt", content: "c" }]] }, "C"],
      },
      { cwd, extraTools: tools, permit: permissions.permit, permissions, allowTool: permissions.allowTool },
    );
    await agent.prompt("go");
    agent.setPermissionMode("plan");
    await agent.prompt("plan");
    await agent.dispose();
    expect(questions.map(({ by, shown }) => [by, basename(shown)]).toSorted()).toEqual([
      ["a", "a.txt"],
      ["b", "b.txt"],
    ]);
    expect(["a", "b", "c"].map((name) => existsSync(join(cwd, `${name}.txt`)))).toEqual([true, false, false]);
    expect(
      tree()
        .replaceAll(`${cwd}/`, "")
        .match(/result of write.*/g)
        ?.toSorted(),
    ).toMatchInlineSnapshot(`
      [
        "result of write (error): Plan mode: not run: writing c.txt",
        "result of write (error): The user said no: writing b.txt",
        "result of write: Created a.txt (1 line)",
      ]
    `);
  });

  test("an agent file gives it instructions and tools, and what it asks for beyond is reported once and not granted", async () => {
    const agents: AgentDescription[] = [
      {
        name: "reviewer",
        description: "Reviews changes.",
        tools: ["look", "bash", "rm_rf"],
        model: "nobody/nothing",
        text: "Be strict.",
        path: "/p/reviewer.md",
      },
      {
        name: "guest",
        description: "Another agent.",
        driver: "claude",
        tools: ["look"],
        text: "",
        path: "/p/guest.md",
      },
    ];
    const { agent, server, events, tree } = await spawning(
      {
        go: [
          { calls: [say("a", { agent: "reviewer" })] },
          { calls: [say("a", { agent: "reviewer" }), say("b", { agent: "guest" }), say("c", { agent: "nobody" })] },
          "Done.",
        ],
        a: ["A", "A again"],
      },
      { project: { ...NO_PROJECT, agents } },
    );
    await agent.prompt("go");
    await agent.dispose();
    const child = server.requests[1]?.body as { system: unknown; tools: { name: string }[] };
    expect(JSON.stringify(child.system)).toContain("Be strict.");
    expect(child.tools.map(({ name }) => name)).toEqual(["look"]);
    expect(events.flatMap((event) => (event.type === "notice" ? [event.message] : []))).toMatchInlineSnapshot(`
      [
        "The agent reviewer names the model nobody/nothing, which is not available; the current one is used",
        "The agent reviewer names tools that are not available here and not granted: bash, rm_rf",
      ]
    `);
    expect(tree().match(/result of spawn.*/g)).toMatchInlineSnapshot(`
      [
        "result of spawn: A",
        "result of spawn: A again",
        "result of spawn (error): The agent guest is run by claude, which has tools of its own, so its tools cannot be limited.",
        "result of spawn (error): Unknown agent: nobody. Available: reviewer, guest.",
      ]
    `);
  });
});

describe("in the background", () => {
  test("the agent goes on, and is told at its next step when it ends", async () => {
    const over = opened();
    const wait = tool({
      name: "wait",
      execute: async () => {
        await over.promise;
        return { content: [{ type: "text", text: "waited" }] };
      },
    });
    const { agent, tree, events } = await spawning(
      {
        go: [{ calls: [say("dig", { background: true })] }, { calls: [["wait", {}]] }, "Told.", "Done."],
        dig: ["Gold."],
      },
      { extraTools: [wait] },
    );
    agent.subscribe((event) => {
      // The note is queued by then.
      if (event.type === "subagent_end") setImmediate(() => setImmediate(over.open));
    });
    expect(await agent.prompt("go")).toMatchObject({ kind: "done" });
    await agent.dispose();
    expect(tree()).toMatchInlineSnapshot(`
      "model_change
      prompt: go
      answer: +spawn
        sub-agent: dig
          reset_boundary
          subagent.prompt: dig
          answer: Gold.
          end: done
        result of spawn: Started in the background: dig. You are told when it ends; continue meanwhile.
        answer: +wait
        result of wait: waited
        bough.subagent_end: The sub-agent in the background has ended: dig

      Gold.
        answer: Told. *"
    `);
    expect(events.filter(({ type }) => type === "subagent_end")).toHaveLength(1);
  });

  test("one that ends while nothing runs leaves a note for the next prompt, and a closed agent stops it", async () => {
    let strike = () => {};
    const struck = new Promise<void>((resolve) => {
      strike = resolve;
    });
    const strikes = tool({
      name: "strike",
      execute: async () => {
        await struck;
        return says("gold");
      },
    });
    const { agent, tree, server } = await spawning(
      {
        go: [{ calls: [say("dig", { background: true }), say("drill", { background: true })] }, "Started."],
        dig: [{ calls: [["strike", {}]] }, "Gold."],
        drill: [{ text: "Drilling.", hang: true }],
      },
      { extraTools: [strikes] },
    );
    await agent.prompt("go");
    await server.asked(4);
    strike();
    while (agent.subAgents.length > 1) await new Promise((resolve) => setImmediate(resolve));
    expect(agent.subAgents).toMatchObject([{ description: "drill", background: true }]);
    await expect.poll(tree).toContain("bough.subagent_end");
    await agent.dispose();
    expect(tree()).toMatchInlineSnapshot(`
      "model_change
      prompt: go
      answer: +spawn +spawn
        sub-agent: dig
          reset_boundary
          subagent.prompt: dig
          answer: +strike
          result of strike: gold
          answer: Gold.
          end: done
        sub-agent: drill
          reset_boundary
          subagent.prompt: drill
          answer: Drilling. (aborted)
          end: stopped
        result of spawn: Started in the background: dig. You are told when it ends; continue meanwhile.
        result of spawn: Started in the background: drill. You are told when it ends; continue meanwhile.
        answer: Started.
        bough.subagent_end: The sub-agent in the background has ended: dig

      Gold. *"
    `);
  });
});

test("another agent does the task of an agent file that names it, after the user agreed", async () => {
  const home = tempFolder();
  const script = fileURLToPath(new URL("../../../../../test/support/scripted-agent.mjs", import.meta.url));
  const asked: string[] = [];
  const agents: AgentDescription[] = [
    { name: "guest", description: "Another agent.", driver: "pi", text: "", path: "/p/guest.md" },
  ];
  const { agent, tree } = await spawning(
    { go: [{ calls: [say("hello there", { agent: "guest" })] }, "Done."] },
    {
      project: { ...NO_PROJECT, agents },
      tools: [...createTools({ spawn: {} })],
      permit: async (request) => {
        asked.push(`${request.by ?? "agent"}: ${request.tool} ${request.note ?? request.target}`);
        return { allowed: true };
      },
      spawn: {
        driver: (name) =>
          acpDriver({
            ...{ name, title: "Scripted", command: [process.execPath, script], transcripts: "pi", asks: "sometimes" },
            env: { PATH: process.env.PATH, HOME: home, SCRIPTED_AGENT: "" },
          }),
      },
    },
  );
  await agent.prompt("go");
  await agent.dispose();
  expect(asked[0]).toMatchInlineSnapshot(
    `"agent: spawn Scripted does the task, with the provider it uses. It may read, change and run things without asking."`,
  );
  expect(tree()).toMatchInlineSnapshot(`
    "model_change
    prompt: go
    answer: +spawn
      sub-agent: hello there
        reset_boundary
        bough.driver
        bough.import
        prompt: hello there
        answer: You said: hello there
        end: done
      result of spawn: You said: hello there
      answer: Done. *"
  `);
  expect(readFileSync(join(home, "requests.jsonl"), "utf8")).toContain("hello there");
});
