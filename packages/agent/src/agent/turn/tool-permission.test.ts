import { describe, expect, it } from "vitest";
import { createPermissions, type PermissionRequest, parseRule, type Tool } from "../../tool/index.js";
import { endless, harness, lines, opened, says, tool } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";
import { NOT_ALLOWED_RESULT } from "./call-tool.js";

const CALL = { calls: [{ id: "c1", name: "deploy", arguments: { to: "production" } }] };

/** A tool that changes something, and what it did. */
function deploy(change: Partial<Tool> = {}) {
  const ran: unknown[] = [];
  const made = tool({
    name: "deploy",
    execute: (input) => {
      ran.push(input);
      return says("deployed");
    },
  });
  return { ran, tool: { ...made, readOnly: false, ...change } };
}

describe("permission is requested for every tool that is not read-only", () => {
  it("a tool of a program is asked about before it runs, once, with its input", async () => {
    const { ran, tool: tested } = deploy();
    const asked: PermissionRequest[] = [];
    const permit = async (request: PermissionRequest) => {
      asked.push(request);
      expect(ran).toEqual([]);
      return { allowed: true } as const;
    };
    const { agent } = harness({ model: scriptedModel([CALL, "ok"]), tools: [tested], permit });
    await agent.prompt("go");
    expect(asked).toEqual([{ tool: "deploy", action: "use", callId: "c1", target: '{"to":"production"}' }]);
    expect(ran).toEqual([{ to: "production" }]);
  });

  it("a no is the result, and the tool does not run", async () => {
    const { ran, tool: tested } = deploy();
    const permit = async () => ({ allowed: false, reason: "The user said no." }) as const;
    const { agent, session } = harness({ model: scriptedModel([CALL, "ok"]), tools: [tested], permit });
    await agent.prompt("go");
    expect([ran, lines(session)[3]]).toEqual([[], "result#c1!: The user said no."]);
  });

  it("a result says whether the call was refused or has failed", async () => {
    const results: unknown[] = [];
    for (const allowed of [false, true]) {
      const fails = async () => {
        throw new Error("broken");
      };
      const permit = async () => (allowed ? ({ allowed } as const) : ({ allowed, reason: "no" } as const));
      const made = { ...deploy().tool, execute: fails };
      const { agent, session } = harness({ model: scriptedModel([CALL, "ok"]), tools: [made], permit });
      await agent.prompt("go");
      for (const { message } of session.getEntries().filter((entry) => entry.type === "message")) {
        if (message.role === "toolResult") results.push([message.isError, message.details]);
      }
    }
    expect(results).toEqual([
      [true, { denied: true }],
      [true, undefined],
    ]);
  });

  it("read-only mode refuses it in one sentence", async () => {
    const { ran, tool: tested } = deploy();
    const { permit } = createPermissions({ mode: "read-only", cwd: "/", ask: async () => "once" });
    const { agent, session } = harness({ model: scriptedModel([CALL, "ok"]), tools: [tested], permit });
    await agent.prompt("go");
    expect(ran).toEqual([]);
    expect(lines(session)[3]).toBe(
      'result#c1!: Refused in permission mode read-only (nothing may be changed or run): deploy {"to":"production"}',
    );
  });

  it("a tool that does not say whether it is read-only is asked about", async () => {
    const { ran, tool: tested } = deploy({ readOnly: undefined as unknown as boolean });
    const permit = async () => ({ allowed: false, reason: "no" }) as const;
    const { agent } = harness({ model: scriptedModel([CALL, "ok"]), tools: [tested], permit });
    await agent.prompt("go");
    expect(ran).toEqual([]);
  });

  it.each([{ readOnly: true }, { permission: "own" } as const])(
    "%o is not asked about by the agent",
    async (change) => {
      const { ran, tool: tested } = deploy(change);
      const permit = async () => ({ allowed: false, reason: "no" }) as const;
      const { agent } = harness({ model: scriptedModel([CALL, "ok"]), tools: [tested], permit });
      await agent.prompt("go");
      expect(ran).toEqual([{ to: "production" }]);
    },
  );

  const kinds = [
    ["asked about", {}],
    ["read-only", { readOnly: true }],
    ["asking itself", { permission: "own" }],
  ] as const;
  it.each(kinds)("rules hold for a tool of an extension that is %s, in every mode", async (_, change) => {
    const outcomes: unknown[] = [];
    for (const effect of ["deny", "ask", "allow"] as const) {
      const { ran, tool: tested } = deploy(change);
      let asked = 0;
      const ask = async () => {
        asked += 1;
        return "no" as const;
      };
      const rules = [parseRule("deploy", { effect, source: { kind: "user" } })];
      const { permit, allowTool } = createPermissions({ mode: "auto", cwd: "/", rules, ask });
      const { agent } = harness({ model: scriptedModel([CALL, "ok"]), tools: [tested], permit, allowTool });
      await agent.prompt("go");
      outcomes.push([effect, ran.length > 0 ? "ran" : "did not run", asked]);
    }
    // If a tool asks on its own, an ask rule applies when it asks.
    const isOwn = "permission" in change;
    expect(outcomes).toEqual([
      ["deny", "did not run", 0],
      ["ask", isOwn ? "ran" : "did not run", isOwn ? 0 : 1],
      ["allow", "ran", 0],
    ]);
  });

  it("a run can be stopped while the question is open", async () => {
    const { ran, tool: tested } = deploy();
    const asked = opened();
    let answer = (_: { readonly allowed: true }): void => {};
    const permit = () => {
      asked.open();
      return new Promise<{ readonly allowed: true }>((resolve) => {
        answer = resolve;
      });
    };
    const { agent, session } = harness({ model: scriptedModel([CALL, "ok"]), tools: [tested, endless("x")], permit });
    const run = agent.prompt("go");
    await asked.promise;
    agent.abort();
    expect([await run, lines(session).at(-1)]).toEqual([{ kind: "aborted" }, `result#c1!: ${NOT_ALLOWED_RESULT}`]);
    expect(session.getBranch().at(-1)).toMatchObject({ message: { role: "toolResult", details: { end: "aborted" } } });
    // An answer that comes too late starts nothing.
    answer({ allowed: true });
    await new Promise(setImmediate);
    expect(ran).toEqual([]);
  });

  it("a tool that asks itself and was stopped in its question has not run either", async () => {
    const asked = opened();
    const stop = new AbortController();
    const permit = async () => {
      asked.open();
      // As front ends do: the question is closed with the run.
      await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
      return { allowed: false, reason: "no" } as const;
    };
    const own = tool({
      name: "deploy",
      execute: async (_, context) => {
        const { allowed } = await context.permit({ tool: "deploy", action: "run", target: "x" });
        return says(allowed ? "ran" : "Stopped before it finished.");
      },
    });
    const tools = [{ ...own, readOnly: false, permission: "own" } as const];
    const { agent, session } = harness({ model: scriptedModel([CALL, "ok"]), tools, permit });
    const run = agent.prompt("go");
    await asked.promise;
    agent.abort();
    stop.abort();
    await run;
    expect(lines(session).at(-1)).toBe(`result#c1!: ${NOT_ALLOWED_RESULT}`);
  });
});
