import type { Usage } from "@bough/session/entry/index.js";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createModelRegistry, type LanguageModel, type ModelPrices } from "../../model/index.js";
import { modelsSettingsSchema } from "../../model/internal.js";
import { PROTOCOLS, SPOKEN_USAGE, says as spoken } from "../../model/wire-protocols.test-support.js";
import { wireServer } from "../../model/wire-server.test-support.js";
import { harness } from "../agent-harness.test-support.js";
import { SCRIPTED_INFO, scriptedModel } from "../scripted-model.test-support.js";
import { UsageCounter } from "../usage-total.js";

const PRICES: ModelPrices = { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 4 };

/** A model as a program makes one: it counts its tokens and says nothing about money, unless told to. */
function ownModel(usage: Usage, prices: ModelPrices | undefined): LanguageModel {
  const info = { ...SCRIPTED_INFO, prices };
  return {
    info,
    async *stream(_request, { now }) {
      const { api, provider, id: model } = info;
      const content = [{ type: "text", text: "hello" }] as const;
      const from = { api, provider, model, usage, stopReason: "stop", timestamp: now() } as const;
      yield { type: "end", message: { role: "assistant", content, ...from } };
    },
  };
}

/** The usage of the last answer. */
async function answered(model: LanguageModel): Promise<Usage | undefined> {
  const { agent, session } = harness({ model });
  await agent.prompt("go");
  const entry = session.getLeafEntry();
  return entry?.type === "message" && entry.message.role === "assistant" ? entry.message.usage : undefined;
}

const USAGE: Usage = { input: 1_000_000, output: 100_000, cacheRead: 2_000_000, cacheWrite: 500_000 };

describe("the cost of a model that is not ours", () => {
  it("is computed from the prices of a model object", async () => {
    const cost = { input: 2, output: 1, cacheRead: 1, cacheWrite: 2, total: 6 };
    expect(await answered(ownModel(USAGE, PRICES))).toEqual({ ...USAGE, cost });
  });

  it("takes cached tokens as input where only input and output have a price", async () => {
    const prices = { input: 2, output: 10 } as ModelPrices;
    const cost = { input: 2, output: 1, cacheRead: 4, cacheWrite: 1, total: 8 };
    expect(await answered(ownModel(USAGE, prices))).toEqual({ ...USAGE, cost });
  });

  it("stays as the model gave it, and unknown without prices or tokens", async () => {
    const cost = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, total: 2 };
    expect(await answered(ownModel({ ...USAGE, cost }, PRICES))).toEqual({ ...USAGE, cost });
    expect(await answered(ownModel(USAGE, undefined))).toEqual(USAGE);
    const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    expect(await answered(ownModel(nothing, PRICES))).toEqual(nothing);
  });

  it("counts in the total, with that of a summary", async () => {
    const { agent, session } = harness({ model: scriptedModel(["one", "two", "a summary"], { prices: PRICES }) });
    await agent.prompt("go");
    await agent.prompt("on");
    const [, first] = session.getBranch();
    await agent.navigateTree(first?.id ?? "", { summarize: true });
    // Ten tokens in and five out, three times.
    const counter = new UsageCounter();
    for (const entry of session.getEntries()) counter.add(entry);
    expect(counter.total().dollars).toBeCloseTo(3 * (10 * 2 + 5 * 10) * 1e-6, 12);
  });

  it.each(PROTOCOLS)("is computed for a model of the settings ($api)", async (protocol) => {
    const server = await wireServer();
    try {
      const models = [{ id: "big", prices: { input: 2, output: 10 } }];
      const providers = { work: { baseUrl: `${server.origin}/v1`, api: protocol.api, models } };
      const overrides = modelsSettingsSchema.parse({ providers });
      const registry = createModelRegistry({ home: tempFolder(), env: {}, servers: [], overrides });
      server.reply(spoken(protocol, { parts: [{ text: "Hi" }], stop: "stop" }));
      const usage = await answered(registry.open(registry.resolve("work/big")));
      const { input, output, cacheRead, cacheWrite } = usage as Usage;
      expect([input, output]).toEqual([SPOKEN_USAGE.input, SPOKEN_USAGE.output]);
      expect(usage?.cost?.total).toBeCloseTo(((input + cacheRead + cacheWrite) * 2 + output * 10) * 1e-6, 12);
    } finally {
      await server.close();
    }
  });
});
