import { afterEach, describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createModelRegistry } from "../create-registry.js";
import type { ModelsSettings } from "../index.js";
import { type LocalProgram, type LocalProgramOptions, localProgram } from "./local-program.test-support.js";

const running: LocalProgram[] = [];
afterEach(async () => {
  for (const program of running.splice(0)) await program.close();
});

type Given = Partial<LocalProgramOptions> & {
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: NonNullable<NonNullable<ModelsSettings["providers"]>[string]["models"]>;
};

async function started(kind: LocalProgramOptions["kind"], { env = {}, settings, ...given }: Given = {}) {
  const program = await localProgram({ kind, model: "qwen3:8b", trained: 40_960, window: 4096, ...given });
  running.push(program);
  const registry = createModelRegistry({
    home: tempFolder(),
    env,
    servers: [{ provider: kind, origin: program.origin, kind }],
    overrides: {
      providers: { [kind]: { baseUrl: `${program.origin}/v1`, ...(settings && { models: settings }) } },
    },
  });
  return { program, registry };
}

const KINDS = ["ollama", "lmstudio", "llamacpp", "vllm"] as const;

describe.each(KINDS)("%s", (kind) => {
  test("reports the context size that a model actually has, not the one it was trained with", async () => {
    const { registry } = await started(kind, { loaded: true, window: 8192 });
    const [found] = await registry.discover({ timeoutMs: 5000 });
    expect(found).toMatchObject({ provider: kind, id: "qwen3:8b", contextWindow: 8192, maxOutput: 8192 });
  });

  test("is asked before a run, and a window that is too small is reported once, with what to do", async () => {
    const { registry } = await started(kind, { loaded: true });
    const model = registry.open(registry.resolve(`${kind}/qwen3:8b`));
    const told = await model.prepare?.();
    expect(model.info.contextWindow).toBe(4096);
    expect(told?.message).toBe(
      `${kind}/qwen3:8b has a context window of 4,096 tokens, too small to work with; at least 16,384 are needed`,
    );
    expect(told?.hint).toContain(
      {
        ollama: "OLLAMA_CONTEXT_LENGTH=32768",
        lmstudio: "lms load qwen3:8b --context-length 32768",
        llamacpp: "llama-server -c 32768",
        vllm: "vllm serve qwen3:8b --max-model-len 32768",
      }[kind],
    );
    expect(await model.prepare?.()).toBeUndefined();
  });

  test("that gives enough is not mentioned, and settings can ask for less", async () => {
    const { registry } = await started(kind, {
      loaded: true,
      window: 32_768,
      settings: [{ id: "qwen3:8b", contextWindow: 20_000 }],
    });
    const model = registry.open(registry.resolve(`${kind}/qwen3:8b`));
    expect([await model.prepare?.(), model.info.contextWindow]).toEqual([undefined, 20_000]);
  });

  test("that wants a key gets it, and one that is gone changes nothing", async () => {
    const { registry, program } = await started(kind, { loaded: true, key: "local-key" });
    registry.saveKey(kind, "local-key");
    const model = registry.open(registry.resolve(`${kind}/qwen3:8b`));
    expect((await model.prepare?.())?.message).toContain("4,096");
    await program.close();
    expect([await model.prepare?.(), model.info.contextWindow]).toEqual([undefined, 4096]);
  });
});

describe("Ollama", () => {
  test("loads a model when it is about to be used, and only then", async () => {
    const { registry, program } = await started("ollama", { window: 32_768 });
    await registry.discover({ timeoutMs: 5000 });
    expect(program.asked).not.toContain("POST /api/generate");
    const model = registry.open(registry.resolve("ollama/qwen3:8b"));
    expect([await model.prepare?.(), model.info.contextWindow]).toEqual([undefined, 32_768]);
    expect(program.asked).toContain("POST /api/generate");
  });

  test.each([
    [{ numCtx: 8192 }, {}, 8192],
    [{}, { OLLAMA_CONTEXT_LENGTH: "16384" }, 16_384],
    [{ numCtx: 131_072 }, {}, 40_960],
    [{}, {}, 40_960],
  ])("that has not loaded a model is expected to use the requested size: %j %j", async (given, env, window) => {
    const { registry } = await started("ollama", { ...given, env });
    expect((await registry.discover({ timeoutMs: 5000 }))[0]?.contextWindow).toBe(window);
  });

  test("with an unknown model is left to say so itself", async () => {
    const { registry, program } = await started("ollama");
    const model = registry.open(registry.resolve("ollama/other"));
    expect(await model.prepare?.()).toBeUndefined();
    expect(program.asked).not.toContain("POST /api/generate");
  });
});

test("LM Studio's window is not known before a model is loaded, so there is no warning", async () => {
  const { registry } = await started("lmstudio");
  const model = registry.open(registry.resolve("lmstudio/qwen3:8b"));
  expect([await model.prepare?.(), model.info.contextWindow]).toEqual([undefined, 40_960]);
});
