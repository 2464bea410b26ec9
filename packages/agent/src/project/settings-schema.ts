/** All settings, in one table: files are validated against it, and the documentation is generated from it. */

import { SYNC_MODES } from "@bough/workbench/store/internal.js";
import { z } from "zod";
import { serversSettingsSchema } from "../mcp/internal.js";
import { THINKING_LEVELS } from "../model/index.js";
import { modelsSettingsSchema } from "../model/internal.js";
import { PERMISSION_MODES } from "../tool/index.js";
import { CACHE_WARMING } from "./cache-warming.js";
import { SANDBOX_CHOICES } from "./sandbox-choice.js";

const tokens = z.int().positive();

/** The shape of a settings file. */
export const settingsFileSchema = z.strictObject({
  model: z.string().min(1).optional().describe("The model new sessions start with, as provider/model."),
  thinkingLevel: z.enum(THINKING_LEVELS).optional().describe("How much the model thinks in new sessions."),
  permissionMode: z
    .enum(PERMISSION_MODES)
    .optional()
    .describe("Whether tools ask before they change files or run commands."),
  permissions: z
    .strictObject({
      allow: z.array(z.string()).optional().describe("Allowed without asking."),
      ask: z.array(z.string()).optional().describe("Asked about every time, even in auto mode."),
      deny: z.array(z.string()).optional().describe("Never allowed."),
    })
    .optional()
    .describe("Rules such as bash(npm test:*) and edit(src/**); deny wins over ask, ask over allow."),
  sandbox: z
    .enum(SANDBOX_CHOICES)
    .optional()
    .describe("Run shell commands in a sandbox: always, in permission mode auto, or never; see docs/permissions.md."),
  sandboxSockets: z
    .array(z.string().regex(/^(?:~?\/|~$)/, "Expected an absolute path, or one that starts with ~/"))
    .optional()
    .describe("Unix sockets that commands in the sandbox may use, such as /var/run/docker.sock."),
  doubleEscapeAction: z.enum(["tree", "fork", "none"]).optional().describe("What pressing Esc twice does."),
  branchSummary: z
    .enum(["ask", "never", "always"])
    .optional()
    .describe("When you leave a branch: ask whether to write a summary, always write one, or never."),
  branchSummaryMinTokens: z
    .int()
    .nonnegative()
    .optional()
    .describe("Do not offer a summary for branches smaller than this many tokens."),
  theme: z
    .enum(["default", "auto", "dark", "light"])
    .optional()
    .describe("Colors: the terminal's own sixteen, or a palette for a dark or light background."),
  glyphs: z.enum(["auto", "unicode", "ascii"]).optional().describe("Character set; auto follows the locale."),
  mouse: z.boolean().optional().describe("Scroll with the mouse wheel; selecting text then needs Shift."),
  reducedMotion: z.boolean().optional().describe("Disable animations."),
  notifications: z
    .enum(["auto", "bell", "off"])
    .optional()
    .describe("When a run ends or needs an answer and you are away: notify the desktop, or ring the bell."),
  terminalTitle: z.boolean().optional().describe("Show the session and its state in the terminal's title."),
  externalEditor: z.string().min(1).optional().describe("Editor for long prompts; overrides $VISUAL and $EDITOR."),
  keys: z
    .record(z.string(), z.array(z.string().min(1)))
    .optional()
    .describe("Custom keys by action (see the key reference); an empty list unbinds an action."),
  compaction: z
    .strictObject({
      enabled: z.boolean().optional().describe("Compact automatically."),
      reserveTokens: tokens.optional().describe("Tokens to keep free for the answer."),
      keepRecentTokens: tokens.optional().describe("Keep about this many of the latest tokens verbatim."),
    })
    .optional()
    .describe("When a long conversation is compacted automatically, and how much of its end is kept."),
  retry: z
    .strictObject({
      maxRetries: z.int().min(0).max(20).optional().describe("Maximum retries."),
      baseDelayMs: z.int().nonnegative().optional().describe("First delay; each later one is twice as long."),
      maxDelayMs: z
        .int()
        .nonnegative()
        .optional()
        .describe("Longest delay; longer Retry-After values are not waited for."),
      idleTimeoutMs: z
        .int()
        .nonnegative()
        .max(3_600_000)
        .optional()
        .describe("How long a model may be silent before the step fails and is retried; 0 for no limit."),
    })
    .optional()
    .describe("How often and how long to retry a model that does not answer."),
  tools: z.array(z.string().min(1)).optional().describe("The tools the model may use; all by default."),
  extensions: z.array(z.string().min(1)).optional().describe("Additional extension files or folders."),
  files: z
    .union(
      [
        z.literal("off"),
        z.strictObject({
          onMove: z
            .enum(["ask", "follow", "stay"])
            .optional()
            .describe(
              "When you move in the conversation: ask whether to restore files too, always restore them, or never.",
            ),
          onMerge: z
            .enum(["ask", "follow", "stay"])
            .optional()
            .describe(
              "When you merge or cherry-pick: ask whether to bring file changes too, always bring them, or never.",
            ),
          include: z.array(z.string().min(1)).optional().describe("Globs of ignored files to record anyway."),
          maxBytes: z.int().positive().optional().describe("Larger files are not recorded; 10 MB by default."),
        }),
      ],
      { error: 'Expected "off", or an object with onMove, onMerge, include and maxBytes' },
    )
    .optional()
    .describe('Record what changes in files, so that moving in the tree can restore them; "off" to record nothing.'),
  attempts: z
    .strictObject({
      max: z.int().positive().max(50).optional().describe("How many attempts work at once; one per core by default."),
      check: z
        .string()
        .min(1)
        .optional()
        .describe("Command that checks each attempt if none is given, such as npm test."),
      setup: z
        .string()
        .min(1)
        .optional()
        .describe(
          "Command that installs dependencies in the folder of an attempt, such as npm ci; otherwise they are copied.",
        ),
    })
    .optional()
    .describe("Several attempts at one prompt, each in a folder of its own; see docs/attempts.md."),
  mcpServers: serversSettingsSchema
    .optional()
    .describe("MCP servers by name: a command to start, or a URL; see docs/mcp.md."),
  webSearch: z
    .enum(["on", "off"])
    .optional()
    .describe("Offer the model the web search of its provider (web_search), if there is one."),
  spawn: z
    .union(
      [
        z.literal("off"),
        z.strictObject({
          maxRunning: z.int().min(1).max(16).optional().describe("How many work at once; the others wait."),
          maxPerPrompt: z.int().min(1).max(200).optional().describe("How many one prompt may start."),
          maxSteps: z.int().min(1).optional().describe("Model steps of each."),
          maxMinutes: z
            .number()
            .positive()
            .max(24 * 60)
            .optional()
            .describe("Time of each."),
          maxDollars: z.number().positive().optional().describe("Cost of each, for models with known prices."),
        }),
      ],
      { error: 'Expected "off", or an object with maxRunning, maxPerPrompt, maxSteps, maxMinutes and maxDollars' },
    )
    .optional()
    .describe('Limits of the sub-agents that the model may start; "off" for none. See docs/agents-of-your-own.md.'),
  toolSearch: z
    .strictObject({
      maxTools: z.int().nonnegative().optional().describe("More tools than this are searched for; 40 by default."),
      maxPercent: z
        .number()
        .min(0)
        .max(100)
        .optional()
        .describe("Definitions larger than this share of the model's window are searched for; 10 percent by default."),
    })
    .optional()
    .describe("When tools of MCP servers are found with tool_search instead of being in every request."),
  cacheWarming: z
    .enum(CACHE_WARMING)
    .optional()
    .describe(
      "Keep the provider's prompt cache from expiring by repeating the last request, if that is expected to save money: never (off), while tools run (streaming), or also for up to 30 minutes between prompts (idle).",
    ),
  store: z.string().min(1).optional().describe("The store to sync with, by name; default: the first one you added."),
  sync: z
    .enum(SYNC_MODES)
    .optional()
    .describe("Sync the open session with the store: never, on /sync, after each turn, or live in both directions."),
  models: modelsSettingsSchema.optional().describe("Your own servers and models."),
});
