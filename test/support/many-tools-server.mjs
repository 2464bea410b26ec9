// A real MCP server with hundreds of tools, like one over a large business API, or with those of a workspace:
// node many-tools-server.mjs <number of tools | workspace> [http]. Over HTTP it prints its port.
import { createServer } from "node:http";
import { fromJsonSchema, McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { WORKSPACE_TOOLS } from "./workspace-tools.mjs";

const [count = "336", transport = "stdio"] = process.argv.slice(2);

const ACTIONS = {
  list: "List all",
  get: "Get one of the",
  create: "Create one of the",
  update: "Change one of the",
  archive: "Archive one of the",
  restore: "Bring back archived",
  export: "Export as CSV the",
  import: "Import from CSV the",
  count: "Count the",
  assign: "Assign to a person one of the",
  watch: "Get notified about changes of",
  merge: "Merge duplicate",
};
const THINGS = ["invoice", "customer", "contract", "shipment", "warehouse", "supplier", "refund", "discount"].concat(
  ["payment", "subscription", "ticket", "meeting", "employee", "payslip", "vacation", "vehicle", "parcel", "catalog"],
  [
    "price_list",
    "tax_rate",
    "currency",
    "bank_account",
    "ledger_entry",
    "budget",
    "forecast",
    "campaign",
    "newsletter",
  ],
  ["coupon"],
);

const officeTools = THINGS.flatMap((thing) =>
  Object.entries(ACTIONS).map(([action, words]) => ({
    name: `${action}_${thing}`,
    description: `${words} ${thing.replaceAll("_", " ")}s of the company. Answers with JSON. Needs the role "office". Deleted items are not included unless include_deleted is set.`,
    schema: {
      type: "object",
      properties: {
        id: { type: "string", description: `ID of the ${thing}, as other tools return it, such as "${thing}-17"` },
        filter: { type: "string", description: "Filter expression, such as status = open and total > 100" },
        fields: { type: "array", items: { type: "string" }, description: "Fields of the answer; all by default" },
        limit: { type: "integer", minimum: 1, maximum: 500, description: "How many items to answer with at most" },
        order: { type: "string", enum: ["newest", "oldest", "name"], description: "Order of the answer" },
        include_deleted: { type: "boolean", description: "Also items that were deleted in the last 30 days" },
      },
      required: action === "list" || action === "count" ? [] : ["id"],
      additionalProperties: false,
    },
  })),
);
const workspaceTools = WORKSPACE_TOOLS.map(([name, description]) => ({
  name,
  description,
  schema: { type: "object", properties: { input: { type: "string" } } },
}));
const tools = count === "workspace" ? workspaceTools : officeTools.slice(0, Number(count));

function office() {
  const server = new McpServer(
    { name: "office", version: "1.0.0" },
    { instructions: "Work with the data of the company. Ask for IDs with list tools before you change anything." },
  );
  for (const { name, description, schema } of tools) {
    server.registerTool(name, { description, inputSchema: fromJsonSchema(schema) }, (input) => ({
      content: [{ type: "text", text: `${name} did its work: ${JSON.stringify(input)}` }],
    }));
  }
  return server;
}

if (transport === "http") await serveHttp();
else serveStdio(office);

async function serveHttp() {
  const sessions = new Map();
  const listening = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = new Headers(Object.entries(request.headers).filter(([, value]) => typeof value === "string"));
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
    const url = `http://${request.headers.host}${request.url}`;
    const asked = new Request(url, { method: request.method, headers, body });
    const id = request.headers["mcp-session-id"];
    let session = sessions.get(id);
    if (session === undefined) {
      session = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (made) => void sessions.set(made, session),
      });
      await office().connect(session);
    }
    const answer = await session.handleRequest(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) return response.end();
    for await (const chunk of answer.body) response.write(chunk);
    response.end();
  });
  listening.listen(0, "127.0.0.1", () => process.stdout.write(`${listening.address().port}\n`));
}
