import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createModelRegistry, type ModelsSettings } from "@bough/agent/model/index.js";
import { wireServer } from "@bough/agent/model/wire-server.test-support.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type ListApp, type ListAppOptions, listApp, until } from "../list/screen-app.test-support.js";
import { openModelList } from "./open-model.js";
import { openThinking } from "./open-thinking.js";

interface TestOptions extends ListAppOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly search?: string;
  readonly models?: ModelsSettings;
}

function modelApp({
  env = {},
  search,
  models,
  ...options
}: TestOptions = {}): ListApp & { readonly closed: Promise<void> } {
  const home = tempFolder();
  const registry = createModelRegistry({ home, env, servers: [], ...(models && { overrides: models }) });
  const model = registry.open(registry.preferred());
  const made = listApp({ home, registry, agent: { model }, ...options });
  const closed = openModelList(made.app, { screen: "model", search });
  return { ...made, closed };
}

const settled = (screen: string): boolean => !screen.includes("looking for servers");

describe("the list of models", () => {
  it("shows what can be used, with window and price", async () => {
    const { host } = modelApp({
      env: { OPENAI_API_KEY: "k" },
      models: { default: "openai/gpt-5.2" },
      search: "gpt-5 ",
      height: 9,
    });
    await until(host, settled);
    const at = (width: number): string => {
      host.resize({ width, height: 9 });
      return `\n${host.screen}\n`;
    };
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Models · 21
       > gpt-5
       ───────────────────────────────────────
         openai/gpt-5.5
         openai/gpt-5.4
         openai/gpt-5.4-mini
       ❯@openai/gpt-5.2
         openai/gpt-5.1
       Enter use it  Tab all
      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "
       Models · 21 you can use
       > gpt-5
       ───────────────────────────────────────────────────────────────────────────────
         openai/gpt-5.5                                    272k       $5 / $30
         openai/gpt-5.4                                    272k     $2.5 / $15
         openai/gpt-5.4-mini                               400k   $0.75 / $4.5
       ❯@openai/gpt-5.2                                    400k    $1.75 / $14
         openai/gpt-5.1                                    400k    $1.25 / $10
       Enter use it   Ctrl+S make default   Tab all   Esc close                4 of 21
      "
    `);
    expect(at(120)).toMatchInlineSnapshot(`
      "
       Models · 21 you can use
       > gpt-5
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
         openai/gpt-5.5                                                       thinking images      272k       $5 / $30
         openai/gpt-5.4                                                       thinking images      272k     $2.5 / $15
         openai/gpt-5.4-mini                                                  thinking images      400k   $0.75 / $4.5
       ❯@openai/gpt-5.2                                                       thinking images      400k    $1.75 / $14
         openai/gpt-5.1                                                       thinking images      400k    $1.25 / $10
       Enter use it   Ctrl+S make default   Tab all   Esc close                                                        4 of 21
      "
    `);
  });

  it("shows all of them with how to get there, where only the offline model can be used", async () => {
    const { host } = modelApp({ search: "sonnet-4-6" });
    await until(host, settled);
    expect(host.screen).toContain("no key");
    expect(host.screen).toContain("No key for anthropic. Set ANTHROPIC_API_KEY before you start, or enter it here.");
  });

  it("counts what was found as found, and offers nothing where that is nothing", async () => {
    const { host } = modelApp({ search: "no such model" });
    await until(host, settled);
    expect([host.lines[0], host.lines.at(-1)]).toEqual([" Models · 0 found", " Tab only usable   Esc close"]);
  });

  it("uses the chosen model, and finds others by typing", async () => {
    const { host, closed, agent } = modelApp({ env: { ANTHROPIC_API_KEY: "k" } });
    await until(host, settled);
    host.type("haiku 4-5");
    host.press("enter");
    await closed;
    expect(agent.model?.info.id).toBe("claude-haiku-4-5");
    expect(host.statusLine?.message).toContain("anthropic/claude-haiku-4-5");
  });

  it("takes a key without showing it, and the model can be used from then on", async () => {
    const server = await wireServer();
    onTestFinished(() => server.close());
    const models = { providers: { anthropic: { baseUrl: `${server.origin}/v1` } } };
    const { host, home, closed, agent } = modelApp({ search: "anthropic/claude-sonnet-4-6", models });
    const enter = async () => {
      await until(host, (screen) => screen.includes("Key for anthropic"));
      host.paste("sk-very-secret\n");
      expect(host.screen).not.toContain("very");
      expect(host.screen).toContain("> ***************");
      host.press("enter");
    };
    await until(host, settled);
    const refusal = { error: { type: "authentication_error", message: "invalid x-api-key" } };
    server.reply({ status: 401, body: JSON.stringify({ type: "error", ...refusal }) });
    host.press("ctrl+k");
    await enter();
    await until(host, () =>
      host.statuses.some(({ message }) =>
        message.startsWith("The key was not saved: anthropic rejected the key (401)"),
      ),
    );
    expect([existsSync(join(home, "auth.json")), host.screen]).toEqual([false, expect.stringContaining("no key")]);
    server.reply({ status: 200, body: JSON.stringify({ data: [{ id: "claude-sonnet-4-6" }] }) });
    host.press("enter");
    await enter();
    await until(host, (screen) => host.top?.name === "model" && !screen.includes("no key"));
    expect(host.statuses.map(({ message }) => message).join()).not.toContain("very");
    const file = join(home, "auth.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ anthropic: { key: "sk-very-secret" } });
    expect(host.screen).not.toContain("no key");
    host.press("enter");
    await closed;
    expect(agent.model?.info.id).toBe("claude-sonnet-4-6");
  });

  it("makes a model the one that new sessions start with", async () => {
    const { host, home, context } = modelApp({ env: { OPENAI_API_KEY: "k" }, search: "gpt-5-mini" });
    await until(host, settled);
    host.press("ctrl+s");
    expect(JSON.parse(readFileSync(join(home, "settings.json"), "utf8"))).toEqual({ model: "openai/gpt-5-mini" });
    expect(context.settings.current.model).toBe("openai/gpt-5-mini");
    expect(host.statusLine?.message).toBe("New sessions start with openai/gpt-5-mini");
  });

  it("says why a setting could not be written", async () => {
    const { host, home } = modelApp({ env: { OPENAI_API_KEY: "k" }, search: "gpt-5-mini" });
    await until(host, settled);
    mkdirSync(join(home, "settings.json"));
    host.press("ctrl+s");
    expect(host.statusLine).toMatchObject({ level: "error", message: expect.stringContaining("was not changed") });
  });
});

describe("the levels of thinking", () => {
  it("marks the one in use and takes another", async () => {
    const { host, app, agent } = listApp();
    const closed = openThinking(app, { screen: "thinking" });
    expect(host.screen).toContain("(now)");
    host.type("high");
    host.press("enter");
    await closed;
    expect(agent.thinkingLevel).toBe("high");
  });

  it("says that a model does not think", () => {
    const home = tempFolder();
    const registry = createModelRegistry({ home, env: {}, servers: [] });
    const { host, app } = listApp({ registry, agent: { model: registry.open(registry.preferred()) } });
    void openThinking(app, { screen: "thinking" });
    expect(host.screen).toContain("not supported by this model");
  });
});
