/** Scripted answers: as a provider to select, and as a protocol for requests of its own. */
import {
  completeSimple,
  fauxAssistantMessage,
  fauxProvider,
  fauxText,
  fauxThinking,
  fauxToolCall,
  registerFauxProvider,
} from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  const stage = fauxProvider({ provider: "stage", models: [{ id: "actor", name: "Actor", reasoning: true }] });
  stage.setResponses([
    fauxAssistantMessage(
      [fauxThinking("First the notes."), fauxToolCall("read", { path: "notes.txt" }, { id: "c1" })],
      {
        stopReason: "toolUse",
      },
    ),
    (context, _options, state) =>
      fauxAssistantMessage(`Heard ${context.messages.length > 2 ? "the notes" : "nothing"} in call ${state.callCount}`),
  ]);
  pi.registerProvider(stage.provider);

  pi.registerCommand("prompter", {
    handler: async (_args, ctx) => {
      const own = registerFauxProvider({ tokensPerSecond: 10_000 });
      own.setResponses([fauxAssistantMessage([fauxText("Whispered line")])]);
      own.appendResponses([fauxAssistantMessage("and another")]);
      const request = { messages: [{ role: "user" as const, content: "What comes next?", timestamp: 0 }] };
      const said: string[] = [];
      for (let n = 0; n < 3; n++) {
        const { content, stopReason, errorMessage } = await completeSimple(own.getModel(), request);
        said.push(
          `${stopReason}: ${content.map((block) => (block.type === "text" ? block.text : "")).join("")}${errorMessage ?? ""}`,
        );
      }
      ctx.ui.notify(`${said.join("; ")} (${own.getPendingResponseCount()} left, ${own.state.callCount} calls)`, "info");
      own.unregister();
    },
  });
}
