/** The protocol itself, and the program's settings. */

import { settingFields, settingSources, writeSetting } from "@bough/agent/project/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import { z } from "zod";
import { checkProtocol, LIMITS, PROTOCOL_VERSION } from "../protocol.js";
import { none } from "../shape/common-shapes.js";
import { method } from "./rpc-method.js";

const setting = z
  .object({
    name: z.string().describe("For example compaction.enabled."),
    kind: z.enum(["text", "number", "boolean", "choice", "list", "object"]),
    choices: z.array(z.string()),
    description: z.string(),
    counts: z
      .enum(["any", "trusted", "yours"])
      .describe("Which files may set it: any, a project's once it is trusted, or only the user's."),
    value: z.unknown().optional(),
    from: z.enum(["project", "user", "default"]),
    file: z.string().optional(),
  })
  .meta({ id: "Setting" });

export const PROGRAM_METHODS = {
  initialize: method({
    summary: "Agrees on the protocol version and returns what this program can do. Optional, and allowed at any time.",
    params: z.strictObject({
      protocolVersion: z.int().default(PROTOCOL_VERSION).describe("The version the client was written for."),
      client: z.strictObject({ name: z.string(), version: z.string().optional() }).optional(),
    }),
    result: z.object({
      protocolVersion: z.int(),
      version: z.string().describe("The program's version."),
      capabilities: z.object({
        methods: z.array(z.string()),
        events: z.array(z.string()),
        questions: z.array(z.string()).describe("What the program may ask the client."),
        limits: z.object({
          lineBytes: z.int().describe("Longest line the program sends."),
          requestBytes: z.int().describe("Longest line the program accepts."),
          pageItems: z.int().describe("Highest `limit` of a page."),
        }),
      }),
    }),
    run({ started, capabilities }, { protocolVersion }) {
      checkProtocol(protocolVersion);
      const { version } = started.parts;
      return { protocolVersion: PROTOCOL_VERSION, version, capabilities: { ...capabilities(), limits: LIMITS } };
    },
  }),
  getSettings: method({
    summary: "Every setting, its value, and which file it comes from.",
    params: none,
    result: z.array(setting),
    run({ started }) {
      const { cwd, trusted } = started.parts;
      const sources = settingSources({ home: boughHome(), cwd, projectTrusted: trusted });
      return settingFields().map(({ name, kind, choices, description, counts }) => ({
        name,
        kind,
        choices: [...choices],
        description,
        counts,
        ...defined(sources.get(name)),
      }));
    },
  }),
  setSetting: method({
    summary: "Changes a setting in the user's own file; without a value, removes it. Takes effect at the next start.",
    params: z.strictObject({ name: z.string().min(1), value: z.unknown().optional() }),
    result: z.object({ file: z.string() }),
    run: (_context, { name, value }) => writeSetting({ home: boughHome(), name, value }),
  }),
};
