/** What remains of an extension's screen after it hangs, fails or is reloaded. */

import type { ExtensionUi } from "@bough/agent/extension/index.js";
import { ExtensionRunner } from "@bough/agent/extension/run.js";
import type { UiComponent, UiScreen } from "@bough/agent/extension/ui.js";
import { overlaid, paintedWidth, safeFitted, safePainted } from "@bough/agent/terminal/index.js";
import { defineJsonTool } from "@bough/agent/tool/index.js";
import { Loader, type TUI } from "@earendil-works/pi-tui";
import { afterEach, describe, expect, test, vi } from "vitest";
import { TestApp } from "../app/app.test-support.js";
import { BusyClock } from "../app/busy-clock.js";
import { testHost } from "../host/host.test-support.js";
import { type Conversation, type ExtensionGround, ExtensionScreen } from "./extension-screen.js";
import { ExtensionRenderers } from "./renderers.js";
import { ShownComponent } from "./shown-component.js";
import { terminalUi } from "./terminal-ui.js";

afterEach(() => {
  vi.useRealTimers();
});

const GROUND: ExtensionGround = {
  size: () => ({ width: 80, height: 24 }),
  setTitle: () => {},
  setTheme: () => {},
  trueColors: false,
  themeNamed: () => undefined,
  paste: () => {},
};

const LINE: UiComponent = { render: () => ["a line"] };
const never = new Promise<never>(() => {});

describe("a component that takes its time", () => {
  test.each(["esc", "ctrl+c"])("and never comes is left with %s, and the next question is asked", async (key) => {
    const host = testHost();
    const ui = terminalUi(host);
    const first = ui.custom(() => never);
    const second = ui.confirm("Sure?");
    await host.settle();
    expect(host.lines).toEqual([" Loading… Esc cancels"]);
    host.press(key);
    expect(await first).toBeUndefined();
    await host.settle();
    expect(host.lines[0]).toBe(" Sure?");
    host.press("enter");
    expect(await second).toBe(true);
  });

  test("ends with its signal, and is disposed of if it comes after that", async () => {
    const ui = terminalUi(testHost());
    const stop = new AbortController();
    const dispose = vi.fn();
    let come: (component: UiComponent) => void = () => {};
    const factory = () =>
      new Promise<UiComponent>((resolve) => {
        come = resolve;
      });
    const shown = ui.custom(factory, { signal: stop.signal });
    await Promise.resolve();
    stop.abort();
    expect(await shown).toBeUndefined();
    come({ ...LINE, dispose });
    await vi.waitFor(() => expect(dispose).toHaveBeenCalledOnce(), { timeout: 60_000 });
  });

  test("is shown when it comes", async () => {
    const host = testHost();
    const shown = terminalUi(host).custom<string>(async (_tui, _theme, _keys, done) => {
      await host.settle();
      return { render: () => ["here"], handleInput: done };
    });
    await vi.waitFor(() => expect(host.lines).toEqual(["here"]), { timeout: 60_000 });
    host.press("x");
    expect(await shown).toBe("x");
  });

  test("that turns out not to be one is named", async () => {
    const host = testHost();
    await terminalUi(host).custom(async () => undefined as never);
    expect(host.statuses.at(-1)?.message).toContain("no render()");
  });
});

describe("an overlay", () => {
  test("whose onHandle throws is closed and named", async () => {
    const host = testHost();
    const screen = new ExtensionScreen(host, GROUND);
    const onHandle = () => {
      throw new Error("no hands");
    };
    expect(await terminalUi(host, { screen }).custom(() => LINE, { overlay: true, onHandle })).toBeUndefined();
    expect(screen.overlays).toEqual([]);
    expect(host.statuses.at(-1)?.message).toContain("onHandle failed: no hands");
  });

  test("that does not take keys does not show a cursor", async () => {
    const host = testHost();
    const component = { ...LINE, focused: false };
    void terminalUi(host).custom(() => component, { overlay: true, overlayOptions: { nonCapturing: true } });
    await host.settle();
    expect(component.focused).toBe(false);
    void terminalUi(host).custom(() => component, { overlay: true });
    await host.settle();
    expect(component.focused).toBe(true);
  });
});

describe("a reset", () => {
  test("ends open questions and components, and what waits for them", async () => {
    const host = testHost();
    const ui = terminalUi(host);
    const asked = [ui.custom(() => LINE), ui.select("Which?", ["a"]), ui.confirm("Sure?"), ui.editor("Text")];
    await host.settle();
    ui.reset?.();
    expect(await Promise.all(asked)).toEqual([undefined, undefined, false, undefined]);
    expect(host.top).toBeUndefined();
    const after = ui.confirm("Again?");
    await host.settle();
    host.press("enter");
    expect(await after).toBe(true);
  });

  test("takes a terminal back that was lent, and the title too", async () => {
    const host = testHost();
    const titles: (string | undefined)[] = [];
    const screen = new ExtensionScreen(host, { ...GROUND, setTitle: (title) => titles.push(title) });
    const ui = terminalUi(host, { screen });
    let tui: UiScreen | undefined;
    ui.setWidget("w", (its) => {
      tui = its;
      return LINE;
    });
    ui.setTitle("mine");
    const lend = vi.spyOn(host, "lend");
    tui?.stop();
    ui.reset?.();
    await lend.mock.results[0]?.value;
    expect(titles).toEqual(["mine", undefined]);
  });
});

test("an editor and suggestions that were set before the conversation is there are used then, and not after a reset", () => {
  const host = testHost();
  const screen = new ExtensionScreen(host, GROUND);
  const ui = terminalUi(host, { screen });
  const calls: string[] = [];
  const editor = {
    useEditor: (given: unknown) => calls.push(given === undefined ? "ours" : "theirs"),
    addCompletion: () => calls.push("completion"),
    removeCompletions: () => calls.push("none"),
  };
  const conversation = { chat: { editor } } as unknown as Conversation;
  ui.setEditorComponent(() => ({ ...LINE, getText: () => "", setText: () => {}, handleInput: () => {} }));
  ui.addAutocompleteProvider((current) => current);
  screen.conversation = conversation;
  expect(calls).toEqual(["theirs", "completion"]);
  screen.reset();
  calls.length = 0;
  screen.conversation = conversation;
  expect(calls).toEqual([]);
});

test("a branch listener that fails is removed and reported, and the others are called", () => {
  const host = testHost();
  const screen = new ExtensionScreen(host, GROUND);
  const heard = vi.fn();
  screen.footerData.onBranchChange(() => {
    throw new Error("no luck");
  });
  screen.footerData.onBranchChange(heard);
  screen.branchChanged();
  screen.branchChanged();
  expect(heard).toHaveBeenCalledTimes(2);
  expect(host.statuses).toHaveLength(1);
  expect(host.statuses[0]?.message).toContain("branch listener failed and was removed: no luck");
});

test("renderers that failed are asked again after a reload, with nothing of the old ones", () => {
  const host = testHost();
  const { registrations } = new ExtensionRunner({ onProblem: () => {} });
  const tool = defineJsonTool({ name: "t", description: "", parameters: { type: "object" }, execute: () => "" });
  const drawers = new ExtensionRenderers({ host, registrations, cwd: "/", entry: () => undefined });
  const block = { type: "tool", name: "t", callId: "c", entryId: "e", arguments: {}, state: "done" } as never;
  const draw = () => drawers.tool(block, { width: 20, expanded: false } as never)?.call;
  const states: unknown[] = [];
  let fails = false;
  const register = () =>
    registrations.addTool("ext", tool, {
      renderCall: (_args, _theme, context) => {
        states.push({ ...context.state });
        context.state.seen = true;
        if (fails) throw new Error("no");
        return { render: () => ["drawn"] };
      },
    });
  register();
  expect([draw(), draw()]).toEqual([["drawn"], ["drawn"]]);
  fails = true;
  expect([draw(), draw()]).toEqual([undefined, undefined]);
  const { version } = drawers;
  registrations.clear();
  fails = false;
  register();
  expect(draw()).toEqual(["drawn"]);
  expect(states).toEqual([{}, { seen: true }, { seen: true }, {}]);
  expect(drawers.version).not.toBe(version);
});

test.each([0, Number.POSITIVE_INFINITY, Number.NaN, -1])("a question with the timeout %s waits", async (timeout) => {
  const host = testHost();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const asked = terminalUi(host).confirm("Sure?", "", { timeout });
  await host.settle();
  vi.advanceTimersByTime(60_000);
  await host.settle();
  expect(host.lines[0]).toBe(" Sure?");
  host.press("enter");
  expect(await asked).toBe(true);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, "soon" as never])(
  "an indicator every %s ms moves as usual",
  (intervalMs) => {
    vi.useFakeTimers();
    const redraw = vi.fn();
    const working = () => ({ message: undefined, visible: true, indicator: { frames: ["a", "b"], intervalMs } });
    const agent = { operation: "run", isStopping: false } as const;
    const { glyphs } = testHost();
    const clock = new BusyClock({ host: { redraw, glyphs }, now: Date.now, agent, still: false, working });
    clock.look();
    vi.advanceTimersByTime(1200);
    expect(redraw).toHaveBeenCalledTimes(10);
    expect(clock.text).toBe("a Working 1 s");
    clock.stop();
  },
);

test("a title that is set before the screen is there is shown with it", async () => {
  const app = await TestApp.open({
    rows: 20,
    beforeRun: ({ ui }: { readonly ui: ExtensionUi }) => ui.setTitle("early"),
  });
  await app.shows("session");
  expect(app.port.written).toContain("\x1b[22;0t\x1b]0;early\x07");
  await app.close();
});

test("a loader of the library stops when it is removed", () => {
  vi.useFakeTimers();
  const { host } = { host: testHost() };
  const requestRender = vi.fn();
  const asIs = (text: string) => text;
  const loader = new Loader({ requestRender } as unknown as TUI, asIs, asIs, "busy");
  const shown = new ShownComponent({ host, component: loader, owner: undefined, what: "widget", close: () => {} });
  shown.dispose();
  requestRender.mockClear();
  vi.advanceTimersByTime(5000);
  expect(requestRender).not.toHaveBeenCalled();
});

describe("links in what extensions draw", () => {
  const link = (url: string, text: string) => `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\`;

  test("to web pages stay, and have no width; others go", () => {
    expect(safePainted(link("https://a.b/c", "word"))).toContain("\x1b]8;;https://a.b/c\x1b\\word");
    expect(paintedWidth(safePainted(link("https://a.b/c", "word")))).toBe(4);
    expect(safePainted(link("file:///etc/passwd", "word"))).not.toContain("passwd");
  });

  test("end where the line is cut, and are not part of what lies over another line", () => {
    const cut = safeFitted(link("https://a.b/c", "a long word"), 6);
    expect([paintedWidth(cut), cut.endsWith("\x1b]8;;\x1b\\\x1b[0m")]).toEqual([6, true]);
    const over = overlaid("..........", safePainted(link("https://a.b/c", "word")), { column: 2, width: 4, total: 10 });
    expect(over.replace(/\x1b\[0m/g, "")).toBe("..word....");
  });
});
