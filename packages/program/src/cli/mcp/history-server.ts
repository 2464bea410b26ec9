/** The server of `bough mcp`: tools and resources over the history of all sessions. */

import { firstWords } from "@bough/session/text/index.js";
import { maskTexts } from "@bough/workbench/export/index.js";
import {
  type AnswerOptions,
  answerOpen,
  codeAfter,
  type History,
  sessionPage,
} from "@bough/workbench/history/index.js";
import { fromJsonSchema, McpServer, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { errorReportOf, errorReportText } from "../error-report.js";
import { addressIn, HISTORY_TOOLS, INSTRUCTIONS } from "./history-tools.js";

export interface HistoryServerParts {
  readonly history: History;
  readonly cwd: string;
  readonly version: string;
  /** Called for each answer. */
  readonly options: () => AnswerOptions;
}

const PAGE = 50;
/** How much of a title is scanned for secrets; less is shown. */
const LONGEST_TITLE = 1_000;
const TEMPLATE = "bough://{session}{#entry}";

export function historyServer({ history, cwd, version, options }: HistoryServerParts): McpServer {
  const server = new McpServer(
    { name: "bough", title: "Bough: history of coding-agent sessions", version },
    { instructions: INSTRUCTIONS, capabilities: { tools: {}, resources: {} } },
  );
  for (const { name, title, description, properties, required, run } of HISTORY_TOOLS) {
    const schema = { type: "object", properties, required: [...required], additionalProperties: false };
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: fromJsonSchema<Record<string, unknown>>(schema),
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      },
      async (input) => {
        try {
          const { text } = await run({ history, input, cwd, options: options() });
          return { content: [{ type: "text", text }] };
        } catch (error) {
          return { content: [{ type: "text", text: failureText(error) }], isError: true };
        }
      },
    );
  }
  addResources(server, { history, options });
  return server;
}

function addResources(
  { server }: McpServer,
  { history, options }: Pick<HistoryServerParts, "history" | "options">,
): void {
  server.setRequestHandler("resources/list", async ({ params }) => {
    await history.refresh(options().timeouts.refresh);
    const { sessions, isMore } = sessionPage(history, { cursor: params?.cursor }, PAGE);
    const last = sessions.at(-1);
    const titles = await maskTexts(sessions.map(({ title }) => title.slice(0, LONGEST_TITLE)));
    return {
      resources: sessions.map(({ reference, modified }, at) => ({
        uri: `bough://${encodeURIComponent(reference)}`,
        name: reference,
        title: firstWords(titles[at] ?? "", 80) || reference,
        mimeType: "text/plain",
        annotations: { lastModified: new Date(modified).toISOString() },
      })),
      ...(isMore && last !== undefined ? { nextCursor: codeAfter(last) } : {}),
    };
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      {
        uriTemplate: TEMPLATE,
        name: "entry",
        title: "An entry of a session, and what is around it",
        description: "Addresses from the tools: session#entry",
        mimeType: "text/plain",
      },
    ],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    if (!uri.startsWith("bough://")) throw new ResourceNotFoundError(uri);
    try {
      const { text } = await answerOpen(history, { address: addressIn(uri) }, options());
      return { contents: [{ uri, mimeType: "text/plain", text }] };
    } catch {
      throw new ResourceNotFoundError(uri);
    }
  });
}

/** The error and what to do about it, for the model. */
function failureText(error: unknown): string {
  return errorReportText(errorReportOf(error)).trim();
}
