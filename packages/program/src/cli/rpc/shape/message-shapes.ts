/** Messages and their parts, as in the file and in a built context. */
import { z } from "zod";

/** Marks values that were too long to send in full. */
export const cut = z
  .object({ characters: z.int().describe("Length of the whole, as JSON.") })
  .meta({ id: "Cut", description: "Too long for one line: texts and lists in it are shortened." });

const textBlock = z
  .looseObject({
    type: z.literal("text"),
    text: z.string(),
    textSignature: z.string().optional().describe("For the provider that made it."),
  })
  .meta({ id: "TextBlock" });

const thinkingBlock = z
  .looseObject({
    type: z.literal("thinking"),
    thinking: z.string(),
    thinkingSignature: z.string().optional().describe("For the provider that made it."),
    redacted: z.boolean().optional(),
  })
  .meta({ id: "ThinkingBlock" });

const imageBlock = z
  .looseObject({ type: z.literal("image"), data: z.string().describe("Base64."), mimeType: z.string() })
  .meta({ id: "ImageBlock" });

const toolCallBlock = z
  .looseObject({
    type: z.literal("toolCall"),
    id: z.string(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    thoughtSignature: z.string().optional().describe("For the provider that made it."),
    mcp: z
      .looseObject({ server: z.string(), tool: z.string() })
      .optional()
      .describe("The model called this tool of an MCP server with mcp_call."),
  })
  .meta({ id: "ToolCallBlock" });

export const content = z
  .union([z.string(), z.array(z.discriminatedUnion("type", [textBlock, imageBlock]))])
  .meta({ id: "Content", description: "A text, or blocks of text and images." });

const cost = z
  .looseObject({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    total: z.number(),
  })
  .meta({ id: "Cost", description: "Dollars." });

export const usage = z
  .looseObject({
    input: z.number().describe("Without cached tokens."),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    totalTokens: z.number().optional(),
    reasoning: z.number().optional(),
    cost: cost.optional(),
  })
  .meta({ id: "Usage", description: "Tokens of one model call." });

const both = { timestamp: z.number().describe("Milliseconds."), cut: cut.optional() };

const userMessage = z.looseObject({ role: z.literal("user"), content, ...both }).meta({ id: "UserMessage" });

export const assistantMessage = z
  .looseObject({
    role: z.literal("assistant"),
    content: z.array(z.discriminatedUnion("type", [textBlock, thinkingBlock, toolCallBlock])),
    api: z.string(),
    provider: z.string(),
    model: z.string(),
    usage,
    stopReason: z.enum(["stop", "length", "toolUse", "error", "aborted"]),
    errorMessage: z.string().optional(),
    responseId: z.string().optional(),
    ...both,
  })
  .meta({ id: "AssistantMessage" });

export const toolResultMessage = z
  .looseObject({
    role: z.literal("toolResult"),
    toolCallId: z.string(),
    toolName: z.string(),
    content: z.array(z.discriminatedUnion("type", [textBlock, imageBlock])),
    details: z.unknown().optional().describe("Depends on the tool."),
    isError: z.boolean(),
    ...both,
  })
  .meta({ id: "ToolResultMessage" });

export const bashExecutionMessage = z
  .looseObject({
    role: z.literal("bashExecution"),
    command: z.string(),
    output: z.string(),
    exitCode: z.number().nullable().optional(),
    cancelled: z.boolean(),
    truncated: z.boolean(),
    fullOutputPath: z.string().optional(),
    excludeFromContext: z.boolean().optional(),
    ...both,
  })
  .meta({ id: "BashExecutionMessage", description: "A shell command the user ran." });

const customMessage = z
  .looseObject({
    role: z.literal("custom"),
    customType: z.string(),
    content,
    display: z.boolean(),
    details: z.unknown().optional().describe("Depends on the extension."),
    ...both,
  })
  .meta({ id: "CustomMessage", description: "An extension's message." });

const branchSummaryMessage = z
  .looseObject({ role: z.literal("branchSummary"), summary: z.string(), fromId: z.string(), ...both })
  .meta({ id: "BranchSummaryMessage" });

const compactionSummaryMessage = z
  .looseObject({
    role: z.literal("compactionSummary"),
    summary: z.string(),
    tokensBefore: z.number(),
    tokensAfter: z.number().optional(),
    ...both,
  })
  .meta({ id: "CompactionSummaryMessage" });

const systemMessage = z.looseObject({ role: z.literal("system"), content, ...both }).meta({ id: "SystemMessage" });

/** Files come from other programs and versions too, so their content is passed on unchanged. */
const otherMessage = z
  .looseObject({ role: z.string() })
  .meta({ id: "OtherMessage", description: "A message that Bough did not write: an unknown role, or unusual fields." });

const MESSAGES = [
  userMessage,
  assistantMessage,
  toolResultMessage,
  bashExecutionMessage,
  customMessage,
  branchSummaryMessage,
  compactionSummaryMessage,
  systemMessage,
] as const;

export const message = z
  .union([...MESSAGES, otherMessage])
  .meta({ id: "Message", description: "A message, by its role." });
