/**
 * The responding half of RPC. Loaded after the first line was sent, because its method table is large and not needed
 * before.
 */
import { readLines } from "../read-lines.js";
import type { StartedAgent } from "../start/started-agent.js";
import { StoppableWork } from "../stoppable-work.js";
import { CLIENT_QUESTIONS, type ClientQuestions } from "./client-questions.js";
import { OpenSearches } from "./methods/open-searches.js";
import type { Capabilities } from "./methods/rpc-method.js";
import { RPC_METHODS } from "./methods/rpc-methods.js";
import { SpawnedAgents } from "./methods/spawned-agents.js";
import { rpcCommandContext } from "./rpc-command-context.js";
import { RpcServer } from "./rpc-server.js";
import { EVENTS } from "./shape/event-shapes.js";

interface RpcParts {
  readonly started: StartedAgent;
  readonly questions: ClientQuestions;
  /** Requests wait for it. */
  readonly ready: Promise<void>;
  /** Sends a response; a long one may take a while. */
  readonly answer: (line: object) => void | Promise<void>;
  /** Sends an event. */
  readonly tell: (event: object) => void;
  /** Resolves when the client has read enough of what was sent to it. */
  readonly whenRead: () => Promise<void>;
}

export interface RpcService {
  /** Reads requests until the client closes its end. */
  serve(): Promise<void>;
  /** Stops what can be stopped; resolves when every request has a response. */
  stop(): Promise<void>;
}

export function rpcService({ started, questions, ready, answer, tell, whenRead }: RpcParts): RpcService {
  const work = new StoppableWork();
  const searches = new OpenSearches();
  const agents = new SpawnedAgents((agent, event) => tell({ type: "agent_event", agent, event }));
  const commands = rpcCommandContext(started, work);
  const context = { started, questions, work, searches, agents, commands, capabilities };
  const server = new RpcServer({ context, ready, answer });
  return {
    async serve() {
      for await (const line of readLines(process.stdin)) {
        server.handle(line);
        // Do not start work for a client that is not reading: its output would only fill the memory.
        await whenRead();
      }
    },
    async stop() {
      work.stop();
      searches.stop();
      await agents.closeAll();
      await started.close();
      await server.settled();
    },
  };
}

function capabilities(): Capabilities {
  return {
    methods: [...RPC_METHODS.keys()],
    events: Object.keys(EVENTS),
    questions: Object.keys(CLIENT_QUESTIONS),
  };
}
