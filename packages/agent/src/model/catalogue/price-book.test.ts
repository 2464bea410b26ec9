import { describe, expect, test } from "vitest";
import { catalogue } from "./catalogue.js";
import type { ModelsSettings } from "./models-settings.js";
import { priceBook } from "./price-book.js";

const MILLION = { input: 1e6, output: 0, cacheRead: 0, cacheWrite: 0, longWrite: 0 };
const day = (text: string): number => Date.parse(`${text}T12:00:00Z`);

function dollars(model: string, options: { readonly time?: number; readonly settings?: ModelsSettings } = {}) {
  const { time = day("2026-11-01"), settings = {} } = options;
  const priceOf = priceBook({ models: catalogue(settings).models, settings });
  return priceOf({ ...MILLION, model, time })?.dollars;
}

describe("the price of a call in a transcript", () => {
  test("is that of the model, by any of the names that transcripts use", () => {
    expect([
      dollars("anthropic/claude-sonnet-4-5"),
      dollars("anthropic/claude-sonnet-4-5-20250929"),
      dollars("anthropic/claude-sonnet-4-5[1m]"),
      dollars("anthropic/eu.anthropic.claude-haiku-4-5-20251001-v1:0"),
      dollars("openai/gpt-4o-2024-08-06"),
      dollars("offline/rules"),
    ]).toEqual([3, 3, 3, 1.1, 2.5, 0]);
  });

  test("is unknown for an unknown model, and for one of another provider", () => {
    expect([dollars("anthropic/claude-imaginary"), dollars("acme/gpt-5"), dollars("constructor")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("is the one of its day", () => {
    expect([
      dollars("openai/o3", { time: day("2025-06-09") }),
      dollars("openai/o3", { time: day("2025-06-10") }),
    ]).toEqual([10, 2]);
  });

  test("is the one of the settings, which also know earlier ones", () => {
    const own = { id: "o3", prices: { input: 7, output: 1 } };
    const settings = (model: object): ModelsSettings => ({ providers: { openai: { models: [{ ...own, ...model }] } } });
    const dated = settings({
      pricesBefore: [
        { before: "2026-01-01", input: 9, output: 1 },
        { before: "2025-01-01", input: 8, output: 1 },
      ],
    });
    expect([
      dollars("openai/o3", { settings: settings({}), time: day("2025-06-09") }),
      ...["2024-06-01", "2025-06-01", "2026-06-01"].map((on) =>
        dollars("openai/o3", { settings: dated, time: day(on) }),
      ),
    ]).toEqual([7, 8, 9, 7]);
  });

  test("counts a prompt cached for an hour as twice the input, and long prompts at their own price", () => {
    const priceOf = priceBook({ models: catalogue().models });
    const cached = { input: 0, output: 0, cacheRead: 1e5, cacheWrite: 1e5, longWrite: 1e5, time: 0 };
    expect([
      priceOf({ ...cached, model: "anthropic/claude-sonnet-4-5" }),
      priceOf({ ...MILLION, model: "google/gemini-2.5-pro", time: 0 })?.dollars,
    ]).toEqual([{ dollars: 0.63, withoutCache: 0.6, cachedToken: 0.3 / 1e6 }, 2.5]);
  });
});
