import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { DEFAULT_SETTINGS, mergeSettings, readSettings } from "./settings.js";

interface Files {
  readonly home?: unknown;
  readonly project?: unknown;
  readonly projectTrusted?: boolean;
}

/** Writes values as JSON, and strings verbatim. */
function read({ home, project, projectTrusted = true }: Files) {
  const root = tempFolder();
  const files = { home: join(root, "home/settings.json"), project: join(root, ".bough/settings.json") };
  for (const [file, value] of [
    [files.home, home],
    [files.project, project],
  ] as const) {
    if (value === undefined) continue;
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  }
  return { ...readSettings({ cwd: root, home: join(root, "home"), projectTrusted }), files };
}

test("without files there are the defaults and nothing to report", () => {
  expect(read({})).toMatchObject({ settings: DEFAULT_SETTINGS, problems: [] });
});

test("the project's settings win, field by field", () => {
  const { settings, problems } = read({
    home: { model: "a/b", thinkingLevel: "low", compaction: { reserveTokens: 5 }, models: { default: "a/b" } },
    project: { model: "c/d", compaction: { enabled: false } },
  });
  expect(problems).toEqual([]);
  expect(settings).toEqual({
    ...DEFAULT_SETTINGS,
    model: "c/d",
    thinkingLevel: "low",
    compaction: { enabled: false, reserveTokens: 5, keepRecentTokens: 20_000 },
    models: { default: "a/b" },
  });
});

test.each([
  [
    "a wrong word",
    { thinkingLevel: "huge" },
    "thinkingLevel",
    'Expected one of "off", "minimal", "low", "medium", "high", found "huge"',
  ],
  ["a wrong kind", { compaction: { enabled: "yes" } }, "compaction.enabled", 'Expected true or false, found "yes"'],
  [
    "a fraction",
    { compaction: { reserveTokens: 1.5 } },
    "compaction.reserveTokens",
    "Expected a whole number, found 1.5",
  ],
  ["too little", { compaction: { reserveTokens: 0 } }, "compaction.reserveTokens", "Expected more than 0, found 0"],
  ["too much", { retry: { maxRetries: 99 } }, "retry.maxRetries", "Expected at most 20, found 99"],
  ["empty text", { model: "" }, "model", 'Expected text that is not empty, found ""'],
  ["an item of a list", { tools: ["read", 3] }, "tools.1", "Expected text, found 3"],
  [
    "not an address",
    { models: { providers: { mine: { baseUrl: "ftp://x" } } } },
    "models.providers.mine.baseUrl",
    'Expected an http or https address, found "ftp://x"',
  ],
])("%s is named with file, field and what was expected, and costs that field alone", (_name, value, field, message) => {
  const { settings, problems, files } = read({ home: { theme: "dark", ...value } });
  const expected = `Not used: ${message.slice(0, 1).toLowerCase()}${message.slice(1)}`;
  expect(problems).toEqual([{ file: files.home, field, message: expected, level: "error" }]);
  const { tools, models, ...rest } = settings;
  expect(rest).toEqual({ ...DEFAULT_SETTINGS, theme: "dark" });
  expect([tools ?? ["read"], models ?? { providers: { mine: {} } }]).toEqual([["read"], { providers: { mine: {} } }]);
});

test("prices need no cache fields, and a missing part costs the object it belongs to", () => {
  const model = (prices: object) => ({ id: "m", name: "M", prices });
  const home = {
    models: { providers: { mine: { models: [model({ input: 1, output: 2 }), model({ input: 1 })] } } },
    theme: "dark",
  };
  const { settings, problems } = read({ home });
  expect(settings.theme).toBe("dark");
  expect(settings.models?.providers?.mine?.models).toEqual([
    { id: "m", name: "M", prices: { input: 1, output: 2 } },
    { id: "m", name: "M" },
  ]);
  expect(problems.map(({ field, level }) => [field, level])).toEqual([
    ["models.providers.mine.models.1.prices.output", "error"],
  ]);
});

test("an untrusted project does not choose the model", () => {
  const { settings, problems } = read({ home: { model: "a/b" }, project: { model: "c/d" }, projectTrusted: false });
  expect(settings.model).toBe("a/b");
  expect(problems.map(({ field, message }) => [field, message])).toEqual([
    ["model", "Not used, because this project is not trusted"],
  ]);
});

test.each([true, false])("a project opens no sockets to the sandbox, trusted or not (%s)", (projectTrusted) => {
  const sandboxSockets = ["/run/docker.sock"];
  const { settings, problems } = read({ home: {}, project: { sandboxSockets }, projectTrusted });
  expect([settings.sandboxSockets, problems.map(({ field }) => field)]).toEqual([undefined, ["sandboxSockets"]]);
  const own = read({ home: { sandboxSockets: ["~/a.sock", ...sandboxSockets] }, project: {}, projectTrusted });
  expect([own.settings.sandboxSockets, own.problems]).toEqual([["~/a.sock", "/run/docker.sock"], []]);
  const wrong = read({ home: { sandboxSockets: ["docker.sock"] }, project: {}, projectTrusted });
  expect(wrong.problems.map(({ message }) => message)).toEqual([expect.stringContaining("absolute path")]);
});

test.each([true, false])("a project does not turn the sandbox on or off, trusted or not (%s)", (projectTrusted) => {
  for (const [own, theirs] of [
    ["on", "off"],
    ["off", "on"],
  ] as const) {
    const { settings, problems } = read({ home: { sandbox: own }, project: { sandbox: theirs }, projectTrusted });
    expect([settings.sandbox, problems.map(({ field }) => field)]).toEqual([own, ["sandbox"]]);
  }
});

test("a file that is not JSON, or not an object, is reported and ignored", () => {
  const { settings, problems, files } = read({ home: '{"model": ', project: "[]" });
  expect(settings).toEqual(DEFAULT_SETTINGS);
  expect(problems).toEqual([
    { file: files.home, message: expect.stringMatching(/^Not valid JSON: /), level: "error" },
    { file: files.project, message: "Expected an object, found []", level: "error" },
  ]);
});

test("a file that is nested deeper than anything can walk through is reported and ignored", () => {
  const nested = (open: string, close: string) => `${open.repeat(100_000)}${close.repeat(100_000)}`;
  const { settings, problems, files } = read({
    home: `{"theme":${nested("[", "]")}}`,
    project: `{"permissions":${nested('{"a":', "}").replace("}", "1}")}}`,
  });
  expect(settings).toEqual(DEFAULT_SETTINGS);
  expect(problems.slice(0, 2)).toEqual([
    { file: files.home, message: "Nested more than 200 levels deep", level: "error" },
    { file: files.project, message: "Nested more than 200 levels deep", level: "error" },
  ]);
});

test("unknown settings are warned of and the others used", () => {
  const { settings, problems, files } = read({
    home: { colour: 1, theme: "dark", retry: { maxRetries: 1, often: 2 } },
  });
  expect(problems).toEqual([
    { file: files.home, field: "retry.often", message: "Unknown setting, ignored", level: "warning" },
    { file: files.home, field: "colour", message: "Unknown setting, ignored", level: "warning" },
  ]);
  expect(settings).toEqual({ ...DEFAULT_SETTINGS, theme: "dark", retry: { ...DEFAULT_SETTINGS.retry, maxRetries: 1 } });
});

test("a project that is not trusted cannot loosen permissions or load code, and none can send keys elsewhere", () => {
  const harmless = { theme: "dark", permissionMode: "auto", extensions: ["./x.ts"] };
  const models = { providers: { anthropic: { baseUrl: "http://elsewhere.example", key: "!curl elsewhere.example" } } };
  const untrusted = read({ project: { ...harmless, models }, projectTrusted: false });
  expect(untrusted.settings).toEqual({ ...DEFAULT_SETTINGS, theme: "dark" });
  expect(untrusted.problems.map(({ field, message }) => [field, message])).toEqual([
    ["models", `Not used: only allowed in ${untrusted.files.home}`],
    ["permissionMode", "Not used, because this project is not trusted"],
    ["extensions", "Not used, because this project is not trusted"],
  ]);
  const trusted = read({ project: { ...harmless, models } });
  expect(trusted.settings).toEqual({ ...DEFAULT_SETTINGS, ...harmless });
  expect(trusted.problems).toMatchObject([{ field: "models", level: "warning" }]);
});

test("a field that is undefined changes nothing", () => {
  const own = { model: "a/b", files: { onMove: "follow" }, retry: { maxRetries: 7 } } as const;
  const empty = {
    ...{ model: undefined, files: { onMove: undefined }, permissions: undefined },
    ...{ retry: { maxRetries: undefined, maxDelayMs: undefined }, compaction: { reserveTokens: undefined } },
  };
  expect(mergeSettings(own, empty)).toEqual(mergeSettings(own));
});
