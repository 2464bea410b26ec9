/** A folder with an index script and files beside it; only one of them imports from pi. */
import { greet } from "./greet";

export default function (api: import("./types").Api) {
  api.registerCommand("greet", { handler: async (args, ctx) => ctx.ui.notify(greet(args), "info") });
}
