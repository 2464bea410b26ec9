// The agents that `scripts/drivers.mjs` can install: their packages, how they find the scripted model, and what they
// write in an empty home. `reads`: calls of its tools that read a file, by its path, and that search for a word, if rules about reading hold. `asks`: whether it asks before its shell tool runs, in Bough's mode `ask`.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const file = (path, value) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
};

export const AGENTS = {
  claude: {
    packages: ["@agentclientprotocol/claude-agent-acp@0.99.1", "node@22"],
    asks: true,
    protocol: "messages",
    shell: { tool: "Bash", argument: "command", more: { description: "a command" } },
    reads: (path, word) => [
      ["Read", { file_path: path }],
      ["Grep", { pattern: word, output_mode: "content" }],
    ],
    prepare: ({ home, address }) => {
      const customApiKeyResponses = { approved: ["not-a-key"], rejected: [] };
      file(join(home, ".claude.json"), { hasCompletedOnboarding: true, customApiKeyResponses });
      return {
        ANTHROPIC_BASE_URL: address,
        ANTHROPIC_API_KEY: "not-a-key",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      };
    },
  },
  codex: {
    packages: ["@agentclientprotocol/codex-acp@2.6.0"],
    asks: false,
    // Its own sandbox does not start in every container.
    modes: { auto: "agent-full-access" },
    protocol: "responses",
    shell: { tool: "exec_command", argument: "cmd" },
    prepare: ({ home, address, cwd }) => {
      const provider = [
        "[model_providers.loopback]",
        'name = "loopback"',
        `base_url = "${address}/v1"`,
        'wire_api = "responses"',
      ];
      const trusted = [`[projects."${cwd}"]`, 'trust_level = "trusted"'];
      const config = ['model = "gpt-5-codex"', 'model_provider = "loopback"', ...provider, ...trusted, ""];
      file(join(home, ".codex", "config.toml"), config.join("\n"));
      return { CODEX_HOME: join(home, ".codex") };
    },
  },
  opencode: {
    packages: ["opencode-ai@1.18.33"],
    asks: false,
    protocol: "messages",
    shell: { tool: "bash", argument: "command", more: { description: "a command" } },
    reads: (path, word) => [
      ["read", { filePath: path }],
      ["grep", { pattern: word }],
    ],
    prepare: ({ home, address }) => {
      const model = { name: "Loopback", tool_call: true, limit: { context: 1_000_000, output: 1000 } };
      const options = { baseURL: `${address}/v1`, apiKey: "not-a-key" };
      const models = { "loopback-model": model };
      const loopback = { npm: "@ai-sdk/anthropic", name: "Loopback", options, models };
      const named = { model: "loopback/loopback-model", small_model: "loopback/loopback-model" };
      const config = { autoupdate: false, share: "disabled", ...named, provider: { loopback } };
      file(join(home, ".config", "opencode", "opencode.json"), config);
      return { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" };
    },
  },
  gemini: {
    packages: ["@google/gemini-cli@0.61.0"],
    asks: true,
    protocol: "gemini",
    shell: { tool: "run_shell_command", argument: "command" },
    prepare: ({ home, address }) => {
      const settings = {
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      };
      file(join(home, ".gemini", "settings.json"), settings);
      return {
        GEMINI_API_KEY: "not-a-key",
        GEMINI_MODEL: "gemini-2.5-flash",
        GOOGLE_GEMINI_BASE_URL: address,
        GEMINI_CLI_TRUST_WORKSPACE: "true",
      };
    },
  },
  pi: {
    packages: ["pi-acp@0.0.34", "@earendil-works/pi-coding-agent@0.87.1", "node@22"],
    asks: false,
    protocol: "messages",
    shell: { tool: "bash", argument: "command" },
    prepare: ({ home, address }) => {
      const model = {
        id: "loopback-model",
        reasoning: false,
        input: ["text"],
        contextWindow: 1_000_000,
        maxTokens: 1000,
      };
      const loopback = { baseUrl: address, api: "anthropic-messages", apiKey: "not-a-key", models: [model] };
      file(join(home, ".pi", "agent", "models.json"), { providers: { loopback } });
      file(join(home, ".pi", "agent", "settings.json"), { defaultProvider: "loopback", defaultModel: model.id });
      return { PI_OFFLINE: "1", PI_TELEMETRY: "0", PI_SKIP_VERSION_CHECK: "1" };
    },
  },
};
