/** Slash commands, as a person types them. */
import { z } from "zod";
import { allCommands, type CommandGroup, listedCommand, runCommandLine } from "../../command/index.js";
import { method } from "./rpc-method.js";
import { none } from "./rpc-shapes.js";

const group = z.enum(["tree", "context", "session", "model", "program"] satisfies CommandGroup[]);

const listed = z
  .object({
    name: z.string().describe("Without its slash."),
    aliases: z.array(z.string()),
    group,
    usage: z.string().describe("What comes after the name."),
    summary: z.string(),
    details: z.string(),
    available: z.boolean(),
    reason: z.string().optional().describe("Why it cannot be used now."),
  })
  .meta({ id: "ListedCommand" });

const outcome = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("done"),
      message: z.string().optional().describe("For people."),
      data: z.unknown().optional().describe("For programs; what is in it depends on the command."),
      editorText: z.string().optional().describe("To be edited and sent again."),
    }),
    z.object({ kind: z.literal("unchanged"), message: z.string(), code: z.string().optional() }),
    z.object({ kind: z.literal("shown") }),
    z.object({ kind: z.literal("quit") }),
  ])
  .meta({ id: "CommandOutcome", description: "The outcome of a command. A code means that it failed." });

export const COMMAND_METHODS = {
  commands: method({
    summary: "Every command that can be typed after a slash, with what it takes and whether it can be used now.",
    params: none,
    result: z.array(listed),
    run: ({ world }) => allCommands(world.extra).map((command) => listedCommand(world, command)),
  }),
  runCommand: method({
    summary: "Runs a line with a slash, built-in or of an extension. It asks nothing and answers with text and data.",
    params: z.strictObject({ line: z.string().regex(/^\s*\//, "A command starts with /") }),
    result: outcome,
    run: ({ world }, { line }) => runCommandLine(world, line),
  }),
};
