// A session kept in a table instead of a file, and used by two servers at once. Run `npm run build` once before.
import { checkLog, scanLines } from "bough/log";
import { SessionError, SessionManager } from "bough/session";

/** A log in a table that only grows; each row has `bytes` and `at`, where they start. A database would index `at`. */
class TableLog {
  certain = 0;
  end = 0;

  constructor(rows, access = "write") {
    this.rows = rows;
    this.writable = access === "write";
  }
  size() {
    const last = this.rows.at(-1);
    return last === undefined ? 0 : last.at + last.bytes.length;
  }
  prepare = () => (this.size() > this.end ? "grown" : "ready");
  prepareToWrite = this.prepare;
  write(lines) {
    if (!this.writable) throw new SessionError("read-only", "This log was opened for reading");
    const at = this.size();
    const isTorn = at > 0 && this.readAt(at - 1, 1).toString() !== "\n";
    this.rows.push({ at, bytes: Buffer.concat([Buffer.from(isTorn ? "\n" : ""), lines]) });
    // Rows of others that were not read yet: leave everything to the next scan.
    if (at === this.end && !isTorn) this.certain = this.end = this.size();
    return isTorn ? at + 1 : at;
  }
  scan(from, visit) {
    return scanLines((buffer, at, length, offset) => this.readAt(offset, length).copy(buffer, at), from, visit);
  }
  accept({ certain, end }) {
    this.certain = certain;
    this.end = end;
  }
  readAt(offset, length) {
    const part = ({ at, bytes }) => bytes.subarray(Math.max(0, offset - at), Math.max(0, offset + length - at));
    return Buffer.concat(this.rows.map(part));
  }
  sync() {}
  async syncInBackground() {}
  close() {}
}

const create = (bytes, access) => new TableLog(bytes.length > 0 ? [{ at: 0, bytes }] : [], access);
console.log("broken rules:", await checkLog(create, { reopen: ({ rows }) => new TableLog(rows) }));

const rows = [];
const [one, two] = [SessionManager.onLog(new TableLog(rows)), SessionManager.onLog(new TableLog(rows))];
const say = (session, content) => session.appendMessage({ role: "user", content, timestamp: Date.now() });
const start = say(one, "Build a CLI");
two.refresh();
two.branch(start);
say(two, "Use a library for parsing");
say(one, "Write the parser by hand"); // both continue from the same entry; nothing is lost
one.close();

const reopened = SessionManager.onLog(new TableLog(rows), { readOnly: true });
console.log(reopened.getChildren(start).map((child) => child.message.content));
