/** Slash commands, as a user types them. */
import { z } from "zod";
import { allCommands, type CommandGroup, listedCommand, runCommandLine } from "../../../command/index.js";
import { none } from "../shape/common-shapes.js";
import { method } from "./rpc-method.js";

const group = z.enum(["tree", "files", "context", "session", "model", "program"] satisfies CommandGroup[]);

const listed = z
  .object({
    name: z.string().describe("Without its slash."),
    aliases: z.array(z.string()),
    group,
    usage: z.string().describe("Arguments after the name."),
    summary: z.string(),
    details: z.string(),
    available: z.boolean(),
    reason: z.string().optional().describe("Why it cannot be used now."),
    hint: z.string().optional().describe("What to do about that."),
  })
  .meta({ id: "ListedCommand" });

export const commandOutcome = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("done"),
      message: z.string().optional().describe("For people."),
      hint: z.string().optional().describe("For people: what to do next."),
      data: z.unknown().optional().describe("For programs; the contents depend on the command."),
      editorText: z.string().optional().describe("Text to edit and send again."),
    }),
    z.object({
      kind: z.literal("unchanged"),
      message: z.string(),
      hint: z.string().optional(),
      code: z.string().optional(),
    }),
    z.object({ kind: z.literal("shown") }),
    z.object({ kind: z.literal("quit") }),
  ])
  .meta({ id: "CommandOutcome", description: "The outcome of a command. A code means that it failed." });

export const COMMAND_METHODS = {
  commands: method({
    summary: "Every slash command, with its arguments and whether it is available now.",
    params: none,
    result: z.array(listed),
    run: ({ commands }) => allCommands(commands.extra).map((command) => listedCommand(commands, command)),
  }),
  runCommand: method({
    summary: "Runs a slash command, built-in or from an extension. Asks nothing and returns text and data.",
    params: z.strictObject({ line: z.string().regex(/^\s*\//, "A command starts with /") }),
    result: commandOutcome,
    run: ({ commands }, { line }) => runCommandLine(commands, line),
  }),
};
