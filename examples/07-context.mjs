// Shows what a model would see of a path: a summary in place of what was compacted, and the messages kept after it.
// Prints the roles of the messages, before and after the compaction.
import { toModelInput } from "bough/context";
import { SessionManager } from "bough/session";

const session = SessionManager.inMemory();
const say = (content) => session.appendMessage({ role: "user", content, timestamp: Date.now() });

say("Build a CLI");
say("Write the parser");
const kept = say("Now the tests");
console.log(
  session
    .buildSessionContext()
    .messages.map(({ role }) => role)
    .join(" "),
);

session.appendCompaction("A CLI with a parser is being built.", kept, 1200);
const { messages } = session.buildSessionContext();
console.log(messages.map(({ role }) => role).join(" "));

// The three roles that a provider takes: user, assistant, toolResult.
const input = toModelInput(messages, { provider: "example", model: "any", api: "openai-completions" });
console.log(input.map(({ role }) => role).join(" "));
console.log(JSON.stringify(input).includes("A CLI with a parser is being built."));
