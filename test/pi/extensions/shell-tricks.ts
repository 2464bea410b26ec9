/** Answers `!fortune` itself, and runs `!loud ...` in capitals. */
import { createLocalBashOperations, type ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  const local = createLocalBashOperations();
  pi.on("user_bash", (event) => {
    if (event.command === "fortune") {
      return { result: { output: "You will write a test.", exitCode: 0, cancelled: false, truncated: false } };
    }
    if (!event.command.startsWith("loud ")) return undefined;
    return {
      operations: {
        exec: (command, cwd, options) => local.exec(`${command.slice(5)} | tr a-z A-Z`, cwd, options),
      },
    };
  });
}
