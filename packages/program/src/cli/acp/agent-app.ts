/** The methods of the protocol, each delegated to its implementation. */
import * as acp from "@agentclientprotocol/sdk/unstable";
import { isRecord } from "@bough/session/text/index.js";
import type { AgentRequest } from "../cli-options.js";
import { AcpError, acpError } from "./acp-error.js";
import type { AcpSession } from "./acp-session.js";
import { AcpSessions, type SessionPlace } from "./acp-sessions.js";
import { authenticate, authMethods, logout } from "./auth-methods.js";
import { ARCHIVE_FILTERS, type ArchiveFilter } from "./branch/list-branches.js";
import { type ClientFacts, clientFacts } from "./client/client-facts.js";
import { listPage } from "./list-page.js";

export interface ServeOptions {
  readonly stream: acp.Stream;
  /** Resolves when the client has read enough of what was sent to it. */
  readonly ready: () => Promise<void>;
  readonly request: Omit<AgentRequest, "session" | "cwd">;
  readonly version: string;
  readonly log: (line: string) => void;
}

interface Serving {
  /** Resolves when the client has disconnected. */
  readonly closed: Promise<void>;
  /** Stops what is running, closes every session and disconnects. */
  close(): Promise<void>;
}

export function serveAcp({ stream, ready, request, version, log }: ServeOptions): Serving {
  let facts: ClientFacts = clientFacts({});
  let sessions: AcpSessions | undefined;
  const open = (): AcpSessions => {
    if (sessions === undefined) throw new Error("bug: a request came before the connection was open");
    return sessions;
  };
  const app = acp.agent({ name: "bough" });
  app.onConnect(({ client }) => {
    sessions = new AcpSessions({ request, client, ready, facts: () => facts, version, log });
  });
  app.onRequest("initialize", ({ params }) => {
    facts = clientFacts(params);
    return initialized(version, facts);
  });
  app.onRequest("authenticate", ({ params }) => told(() => authenticate(params.methodId)));
  app.onRequest("logout", () => told(() => logout(log)));
  app.onRequest("session/new", ({ params }) =>
    told(async () => {
      const session = await open().create(params);
      return { sessionId: session.id, ...opened(session) };
    }),
  );
  app.onRequest("session/load", ({ params }) =>
    told(async () => {
      const session = await open().load(params.sessionId, params);
      await session.replay();
      return opened(session);
    }),
  );
  app.onRequest("session/resume", ({ params }) =>
    told(async () => opened(await open().load(params.sessionId, placeOf(params)))),
  );
  app.onRequest("session/fork", ({ params }) =>
    told(async () => {
      const { session, prompt } = await open().fork(params.sessionId, placeOf(params), messageIn(params._meta));
      const meta = prompt === undefined ? {} : { _meta: { bough: { prompt } } };
      return { sessionId: session.id, ...opened(session), ...meta };
    }),
  );
  app.onRequest("session/list", ({ params }) =>
    told(async () => {
      const cwd = params.cwd ?? undefined;
      const archived = archiveFilter(params.archived);
      const foldersOf = (id: string) => open().foldersOf(id);
      const wanted = { cwd, archived, cursor: params.cursor ?? undefined, foldersOf };
      return listPage(await open().list(cwd, archived), wanted);
    }),
  );
  app.onRequest("session/close", ({ params }) =>
    told(() =>
      open()
        .close(params.sessionId)
        .then(() => ({})),
    ),
  );
  app.onRequest("session/delete", ({ params }) =>
    told(() =>
      open()
        .remove(params.sessionId)
        .then(() => ({})),
    ),
  );
  app.onRequest("session/archive", ({ params }) =>
    told(() =>
      open()
        .archive(params.sessionId)
        .then(() => ({})),
    ),
  );
  app.onRequest("session/unarchive", ({ params }) =>
    told(() =>
      open()
        .unarchive(params.sessionId)
        .then(() => ({})),
    ),
  );
  app.onRequest("session/set_title", ({ params }) =>
    told(async () => ({ title: await open().setTitle(params.sessionId, params.title) })),
  );
  app.onRequest("session/prompt", ({ params, signal }) =>
    told(async () => open().live(params.sessionId).prompt(params, signal)),
  );
  app.onNotification("session/cancel", ({ params }) => open().live(params.sessionId).cancel());
  app.onRequest("session/set_mode", ({ params }) =>
    told(() => {
      open().live(params.sessionId).setMode(params.modeId);
      return {};
    }),
  );
  app.onRequest("session/set_config_option", ({ params }) =>
    told(async () => {
      const session = open().live(params.sessionId);
      await session.setOption(params);
      return { configOptions: session.settings.configOptions };
    }),
  );
  const connection = app.connect(stream);
  return {
    closed: connection.closed,
    async close() {
      await sessions?.closeAll();
      connection.close();
    },
  };
}

function initialized(version: string, facts: ClientFacts): acp.InitializeResponse {
  return {
    protocolVersion: acp.PROTOCOL_VERSION,
    agentInfo: { name: "bough", title: "Bough", version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true, audio: false },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: {
        list: {},
        delete: {},
        fork: {},
        resume: {},
        close: {},
        title: {},
        additionalDirectories: {},
        archive: {},
      },
      auth: { logout: {} },
    },
    authMethods: authMethods(facts),
  };
}

function archiveFilter(given: unknown): ArchiveFilter {
  const filter = ARCHIVE_FILTERS.find((known) => known === (given ?? "exclude"));
  if (filter !== undefined) return filter;
  throw new AcpError("invalidParams", `archived must be one of ${ARCHIVE_FILTERS.join(", ")}`);
}

function placeOf({ cwd, mcpServers, additionalDirectories }: SessionPlace): SessionPlace {
  return { cwd, mcpServers, additionalDirectories };
}

/** The response for an open session; its notifications follow the response. */
function opened(session: AcpSession) {
  setImmediate(() => session.open());
  return session.settings;
}

/** The message a fork starts at: `_meta.bough.entryId`, or the client's id for it. */
function messageIn(meta: { readonly [key: string]: unknown } | null | undefined): string | undefined {
  const bough = isRecord(meta?.bough) ? meta.bough : {};
  const named = bough.entryId ?? bough.messageId ?? meta?.messageId;
  if (named === undefined || named === null) return undefined;
  if (typeof named === "string" && named !== "") return named;
  throw new AcpError("invalidParams", "_meta.bough.entryId must be the ID of an entry");
}

/** Failures are sent with our message and code, never with a stack trace. */
async function told<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const { code, message, data } = acpError(error);
    throw new acp.RequestError(code, message, data);
  }
}
