// node scripts/resume-gemini.mjs [--program <path>] [--package <name@version>]... [<transcript>...]: lets the real
// Gemini CLI resume what Bough writes for it, against a model on loopback, in an empty home. Needs a build. Without a
// program it installs one from the package registry into a scratch folder; without transcripts it uses all samples.
// Exits with 1 if any part of a history was missing, out of order or unpaired.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { geminiServer } from "./resume/gemini-server.mjs";
import { tryResume } from "./resume/try-resume.mjs";

await tryResume({
  agent: "gemini",
  packages: ["@google/gemini-cli"],
  command: "gemini",
  serve: geminiServer,
  prepare: (home) => {
    const folder = join(home, ".gemini");
    mkdirSync(folder, { recursive: true });
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
  },
  screen: {
    args: (plan) => ["--resume", plan.sessionId, "-m", "gemini-2.5-flash"],
    footer: /gemini-2\.5-flash/,
  },
  run: (plan, prompt) => ["--resume", plan.sessionId, "-m", "gemini-2.5-flash", "-p", prompt],
  environment: (_home, address) => ({
    GEMINI_API_KEY: "not-a-key",
    GOOGLE_GEMINI_BASE_URL: address,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    NO_COLOR: "1",
  }),
  isLeftOut: () => false,
  // The program does not send thoughts back.
  isLeftOutBlock: ({ type }) => type === "thinking" || type === "redactedThinking",
  // It creates a new one for each run.
  isLeftOutText: (text) => text.startsWith("<session_context>"),
  toolName: (name) => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64),
});
