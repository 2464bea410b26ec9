import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../test/support/temp-folder.js";
import { createModelRegistry } from "../../model/index.js";
import { type ListApp, type ListAppOptions, listApp, until } from "../list/screen-app.test-support.js";
import { openModelList } from "./open-model.js";
import { openThinking } from "./open-thinking.js";

interface Wish extends ListAppOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly search?: string;
}

function modelApp({ env = {}, search, ...options }: Wish = {}): ListApp & { readonly closed: Promise<void> } {
  const home = tempFolder();
  const registry = createModelRegistry({ home, env, servers: [] });
  const model = registry.open(registry.preferred());
  const made = listApp({ home, registry, agent: { model }, ...options });
  const closed = openModelList(made.app, { screen: "model", ...(search === undefined ? {} : { search }) });
  return { ...made, closed };
}

const settled = (screen: string): boolean => !screen.includes("looking for servers");

describe("the list of models", () => {
  it("shows what can be used, with window and price", async () => {
    const { desk } = modelApp({ env: { OPENAI_API_KEY: "k" }, search: "gpt-5 ", height: 9 });
    await until(desk, settled);
    const at = (width: number): string => {
      desk.resize({ width, height: 9 });
      return `\n${desk.screen}\n`;
    };
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Models · 7
       > gpt-5
       ───────────────────────────────────────
         openai/gpt-5.5
       ❯@openai/gpt-5.2
         openai/gpt-5.1
         openai/gpt-5.1-codex
         openai/gpt-5
       Enter use it  Tab all
      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "
       Models · 7 you can use
       > gpt-5
       ───────────────────────────────────────────────────────────────────────────────
         openai/gpt-5.5                                    400k  price unknown
       ❯@openai/gpt-5.2                                    400k    $1.75 / $14
         openai/gpt-5.1                                    400k    $1.25 / $10
         openai/gpt-5.1-codex                              400k    $1.25 / $10
         openai/gpt-5                                      400k    $1.25 / $10
       Enter use it   Ctrl+S make default   Tab all   Esc close                 2 of 7
      "
    `);
    expect(at(120)).toMatchInlineSnapshot(`
      "
       Models · 7 you can use
       > gpt-5
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
         openai/gpt-5.5                                                       thinking images      400k  price unknown
       ❯@openai/gpt-5.2                                                       thinking images      400k    $1.75 / $14
         openai/gpt-5.1                                                       thinking images      400k    $1.25 / $10
         openai/gpt-5.1-codex                                                 thinking images      400k    $1.25 / $10
         openai/gpt-5                                                         thinking images      400k    $1.25 / $10
       Enter use it   Ctrl+S make default   Tab all   Esc close                                                         2 of 7
      "
    `);
  });

  it("shows all of them with how to get there, where only the offline model can be used", async () => {
    const { desk } = modelApp({ search: "sonnet-4-6" });
    await until(desk, settled);
    expect(desk.screen).toContain("no key");
    expect(desk.screen).toContain("No key for anthropic. Set ANTHROPIC_API_KEY before you start, or enter it here.");
  });

  it("counts what was found as found, and offers nothing where that is nothing", async () => {
    const { desk } = modelApp({ search: "no such model" });
    await until(desk, settled);
    expect([desk.lines[0], desk.lines.at(-1)]).toEqual([" Models · 0 found", " Tab only usable   Esc close"]);
  });

  it("uses the chosen model, and finds others by typing", async () => {
    const { desk, closed, agent } = modelApp({ env: { ANTHROPIC_API_KEY: "k" } });
    await until(desk, settled);
    desk.type("haiku 4-5");
    desk.press("enter");
    await closed;
    expect(agent.model?.info.id).toBe("claude-haiku-4-5");
    expect(desk.statusLine?.message).toContain("anthropic/claude-haiku-4-5");
  });

  it("takes a key without showing it, and the model can be used from then on", async () => {
    const { desk, home, closed, agent } = modelApp({ search: "sonnet-4-6" });
    await until(desk, settled);
    desk.press("enter");
    expect(desk.top?.name).toBe("secret");
    desk.paste("sk-very-secret\n");
    expect(desk.screen).not.toContain("very");
    expect(desk.screen).toContain("> ***************");
    desk.press("enter");
    await desk.settle();
    expect(desk.statuses.map(({ message }) => message).join()).not.toContain("very");
    const file = join(home, "auth.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ anthropic: { key: "sk-very-secret" } });
    expect(desk.screen).not.toContain("no key");
    desk.press("enter");
    await closed;
    expect(agent.model?.info.id).toBe("claude-sonnet-4-6");
  });

  it("makes a model the one that new sessions start with", async () => {
    const { desk, home, world } = modelApp({ env: { OPENAI_API_KEY: "k" }, search: "gpt-5-mini" });
    await until(desk, settled);
    desk.press("ctrl+s");
    expect(JSON.parse(readFileSync(join(home, "settings.json"), "utf8"))).toEqual({ model: "openai/gpt-5-mini" });
    expect(world.settings.current.model).toBe("openai/gpt-5-mini");
    expect(desk.statusLine?.message).toBe("New sessions start with openai/gpt-5-mini");
  });

  it("says why a setting could not be written", async () => {
    const { desk, home } = modelApp({ env: { OPENAI_API_KEY: "k" }, search: "gpt-5-mini" });
    await until(desk, settled);
    mkdirSync(join(home, "settings.json"));
    desk.press("ctrl+s");
    expect(desk.statusLine).toMatchObject({ level: "error", message: expect.stringContaining("left as it is") });
  });
});

describe("the levels of thinking", () => {
  it("marks the one in use and takes another", async () => {
    const { desk, app, agent } = listApp();
    const closed = openThinking(app, { screen: "thinking" });
    expect(desk.screen).toContain("(now)");
    desk.type("high");
    desk.press("enter");
    await closed;
    expect(agent.thinkingLevel).toBe("high");
  });

  it("says that a model does not think", () => {
    const home = tempFolder();
    const registry = createModelRegistry({ home, env: {}, servers: [] });
    const { desk, app } = listApp({ registry, agent: { model: registry.open(registry.preferred()) } });
    void openThinking(app, { screen: "thinking" });
    expect(desk.screen).toContain("not supported by this model");
  });
});
