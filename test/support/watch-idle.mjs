// Watches a file in both modes and has nothing else to do: the process must end by itself.
import { watchFile } from "../../dist/log/index.js";

const [path] = process.argv.slice(2);
const watches = [watchFile(path, () => {}), watchFile(path, () => {}, { mode: "poll", pollMs: 10 })];
console.log(watches.map((watch) => watch.mode).join(" "));
