// Opens a session and prints its leaf.
import { SessionManager } from "../../dist/session/index.js";

const session = SessionManager.open(process.argv[2]);
console.log(JSON.stringify(session.getLeafId()));
session.close();
