/** `bough --mode rpc`: JSON lines on standard input and output. */
import { inSlices } from "../../log/index.js";
import { type AgentRequest, refusePrompt } from "../cli-options.js";
import type { ModeParts } from "../run-print.js";
import { prepareAgent } from "../start/prepare-agent.js";
import { openAgent } from "../start/start-agent.js";
import { ClientQuestions } from "./client-questions.js";
import { isSurelyTooLong, longSendable, sendable } from "./line-limit.js";
import { PROTOCOL_VERSION } from "./protocol.js";
import type { RpcService } from "./serve-rpc.js";
import { tellStoreEvents } from "./store-events.js";

/** Serves until the client closes its end; that stops what is running, closes the session, and is not a failure. */
export async function runRpc(wish: AgentRequest, { version, interruption }: ModeParts): Promise<number> {
  const write = (text: string) => void process.stdout.write(`${text}\n`);
  const send = (line: object) => write(sendable(line));
  const answer = (line: object) =>
    isSurelyTooLong(line) ? inSlices(longSendable(line)).then(write) : write(sendable(line));
  const questions = new ClientQuestions({ send });
  const prepared = await prepareAgent(wish, {
    ui: (relay) => questions.ui((message, level = "info") => relay.notice(level, message)),
    hasUi: true,
    mode: "rpc",
    ask: questions.permission,
    syncs: true,
    version,
  });
  refusePrompt(prepared.prompt ?? "");
  const started = await openAgent(prepared);
  send({ event: { ...started.header, protocol: PROTOCOL_VERSION } });
  started.listen((event) => send({ event }));
  tellStoreEvents(started.parts.sync, (event) => send({ event }));
  // Lines are read meanwhile: an extension may ask something when it hears that the session begins.
  const ready = started.begin();
  // The caller that awaits it gets the failure; it must not end the process before that.
  ready.catch(() => {});
  let service: RpcService | undefined;
  interruption.onEnd(async () => {
    questions.leave();
    await (service?.stop() ?? started.close());
  });
  const { rpcService } = await import("./serve-rpc.js");
  service = rpcService({ started, questions, ready, answer, tell: (event) => send({ event }) });
  await Promise.race([service.serve(), started.parts.ended]);
  return 0;
}
