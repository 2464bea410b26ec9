// node scripts/resume-opencode.mjs [--program <path>] [--package <name@version>]... [<transcript>...]: lets the real
// opencode import and resume what Bough writes for it, against a model on loopback, in an empty home. Needs a build.
// Without a program it installs one from the package registry into a scratch folder; without transcripts it uses all
// samples. Exits with 1 if any part of a history was missing, out of order or unpaired.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tryResume } from "./resume/try-resume.mjs";

const MODEL = {
  name: "Loopback",
  attachment: true,
  tool_call: true,
  modalities: { input: ["text", "image"], output: ["text"] },
  limit: { context: 1_000_000, output: 1000 },
};

await tryResume({
  agent: "opencode",
  packages: ["opencode-ai"],
  command: "opencode",
  prepare: (home, address) => {
    const folder = join(home, ".config", "opencode");
    mkdirSync(folder, { recursive: true });
    const options = { baseURL: `${address}/v1`, apiKey: "not-a-key" };
    const loopback = { npm: "@ai-sdk/anthropic", name: "Loopback", options, models: { "loopback-model": MODEL } };
    const config = {
      autoupdate: false,
      share: "disabled",
      provider: { loopback },
      small_model: "loopback/loopback-model",
    };
    writeFileSync(join(folder, "opencode.json"), JSON.stringify(config));
  },
  screen: {
    args: (plan) => ["--session", plan.sessionId, "-m", "loopback/loopback-model"],
    footer: /Loopback/,
  },
  run: (plan, prompt) => ["run", "-s", plan.sessionId, "-m", "loopback/loopback-model", prompt],
  environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1", NO_COLOR: "1" }),
  // It stores imported sessions in its database.
  continued: (home, plan) => ({ path: join(home, ".local", "share", "opencode", "opencode.db"), id: plan.sessionId }),
  // The summary is the answer to a prompt that asks for it.
  summaryRole: "assistant",
  isLeftOut: () => false,
  // The program decides how it sends reasoning of another model.
  isLeftOutBlock: ({ type }) => type === "thinking" || type === "redactedThinking",
  toolName: (name) => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64),
});
