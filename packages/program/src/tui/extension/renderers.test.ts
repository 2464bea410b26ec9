import { ExtensionRunner, type Registrations } from "@bough/agent/extension/run.js";
import type { ToolRenderers } from "@bough/agent/extension/ui.js";
import { defineJsonTool } from "@bough/agent/tool/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { Container, Spacer, Text } from "@earendil-works/pi-tui";
import { afterEach, describe, expect, test } from "vitest";
import { closeChats, testChat } from "../chat/chat-harness.test-support.js";
import { testHost } from "../host/host.test-support.js";
import { ExtensionRenderers } from "./renderers.js";

afterEach(closeChats);

const answer = {
  role: "assistant",
  api: "x",
  provider: "x",
  model: "x",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  timestamp: 0,
} as const;

/** A conversation in which the tool `weather` was called, and one entry of an extension. */
function session(): SessionManager {
  const made = SessionManager.inMemory("/project");
  made.appendMessage({ role: "user", content: "how is it?", timestamp: 0 });
  const call = { type: "toolCall", id: "c1", name: "weather", arguments: { city: "Rome" } } as const;
  made.appendMessage({ ...answer, content: [call], stopReason: "toolUse" } as never);
  const content = [{ type: "text", text: "sunny, 31 degrees" }] as const;
  const result = { role: "toolResult", toolCallId: "c1", toolName: "weather", content, isError: false } as const;
  made.appendMessage({ ...result, details: { degrees: 31 }, timestamp: 0 });
  made.appendCustomEntry("plan", { step: 2 });
  return made;
}

function chatWith(renderers: ToolRenderers, more: (registrations: Registrations) => void = () => {}) {
  const { registrations } = new ExtensionRunner({ host: {} as never, onProblem: () => {}, modules: {} });
  const execute = () => "sunny";
  const tool = defineJsonTool({ name: "weather", description: "", parameters: { type: "object" }, execute });
  registrations.addTool("meteo", tool, renderers);
  more(registrations);
  const its = session();
  const host = testHost();
  const drawers = new ExtensionRenderers({ host, registrations, cwd: "/project", entry: (id) => its.getEntry(id) });
  return { ...testChat({ harness: { session: its }, drawers }), statuses: host };
}

describe("a tool that draws its calls", () => {
  test.each([40, 80, 120])("shows its own title and result at %i columns, in full when it is opened", (columns) => {
    const { chat, transcript } = chatWith({
      renderCall: (args: { readonly city: string }, theme) =>
        new Text(theme.bold("weather ") + theme.fg("accent", args.city), 0, 0),
      renderResult: ({ details }, { expanded, isPartial }, theme, { args, toolCallId }) => {
        const box = new Container();
        const { degrees } = details as { readonly degrees: number };
        box.addChild(new Text(theme.fg("success", `${degrees}°${isPartial ? " so far" : ""}`), 0, 0));
        if (expanded) box.addChild(new Spacer(1));
        if (expanded) box.addChild(new Text(`${toolCallId} ${JSON.stringify(args)}`, 0, 0));
        return box;
      },
    });
    expect(transcript(columns, 8).split("\n")).toContain("  31°");
    expect(transcript(columns, 8)).toMatch(/^\S weather Rome$/m);
    expect(transcript(columns, 8)).not.toContain("sunny");
    chat.setToolsExpanded(true);
    expect(transcript(columns, 10)).toContain('c1 {"city":"Rome"}');
  });

  test("keeps its state and its component between two frames, and is drawn again when it asks", () => {
    const seen: unknown[] = [];
    let again = () => {};
    const { transcript } = chatWith({
      renderCall: (_args, _theme, { state, lastComponent, invalidate }) => {
        seen.push([state.count, lastComponent !== undefined]);
        state.count = Number(state.count ?? 0) + 1;
        again = invalidate;
        return { render: () => [`drawn ${String(state.count)}`] };
      },
    });
    expect(transcript(80, 8)).toContain("drawn 1");
    expect(transcript(80, 8)).toContain("drawn 1");
    again();
    expect(transcript(80, 8)).toContain("drawn 2");
    expect(seen).toEqual([
      [undefined, false],
      [1, true],
    ]);
  });

  test("is drawn like any other tool if its renderer fails, which is reported once", async () => {
    const { transcript, statuses } = chatWith({
      renderCall: () => {
        throw new Error("no city");
      },
      renderResult: () => 5 as never,
    });
    for (const width of [80, 60]) expect(transcript(width, 8)).toContain("sunny, 31 degrees");
    await statuses.settle();
    expect(statuses.statuses.map(({ message }) => message)).toEqual([
      "Extension meteo: renderCall of weather failed and is not used: no city",
      "Extension meteo: renderResult of weather failed and is not used: it returned neither a component, lines nor text",
    ]);
  });

  test("cannot send anything but colors to the terminal", () => {
    const { chat } = chatWith({ renderCall: () => ({ render: () => ["\x1b[31mred\x1b[2J\x1b[H", "x".repeat(200)] }) });
    const lines = chat.drawTranscript({ width: 40, height: 10 }).lines;
    expect(lines.filter((line) => line.includes("red"))).toEqual(["· \x1b[31mred\x1b[0m"]);
    expect(lines).toContain(`  ${"x".repeat(38)}`);
  });
});

describe("an entry of an extension", () => {
  test("is shown by its renderer, and not at all without one", () => {
    expect(chatWith({}).transcript(80, 10)).not.toContain("step 2");
    const { transcript } = chatWith({}, (registrations) =>
      registrations.addEntryRenderer("meteo", "plan", ({ data }, { expanded }, theme) => {
        const { step } = data as { readonly step: number };
        // With an empty line above and below.
        return new Text(theme.fg("muted", `step ${step}${expanded ? ", opened" : ""}`), 0, 1);
      }),
    );
    expect(transcript(80, 10).trimEnd()).toMatch(/\n\n\S step 2$/);
  });
});
