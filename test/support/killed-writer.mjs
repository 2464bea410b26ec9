// Writes half a file over an old one and kills itself.
import { WholeFile } from "../../dist/log/index.js";

const file = new WholeFile(process.argv[2], { existing: "replace", durable: true });
file.write("half");
file.flush();
process.kill(process.pid, "SIGKILL");
