/** One started program for several tests of a file: to start it takes longer than what most of them do. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEMO_ID } from "@bough/program/cli/demo/make-demo.js";
import { afterAll } from "vitest";
import { makePlace, type PlaceOptions, sessionFiles, writeProject } from "./cli-support.js";
import { addDemo, command, type DemoSeat, idle, type Seat, startIn } from "./terminal-support.js";

interface Size {
  readonly columns?: number;
  readonly rows?: number;
}

/**
 * Every test finds an empty session or the demo, a project as it is at first, and no other sessions. It has to end with
 * `leave`, at the prompt; after a test that did not, as one that failed, the next one starts another program.
 */
export class SharedSeat {
  readonly #options: PlaceOptions;
  #seat: Seat | undefined;
  #folder = "";
  #isFree = false;

  /** At the top of a file: the program is ended after its last test. */
  constructor(options: PlaceOptions = {}) {
    this.#options = options;
    afterAll(() => this.#end());
  }

  async atNew({ columns = 80, rows = 24 }: Size = {}): Promise<Seat> {
    let seat = this.#seat;
    if (seat === undefined || !this.#isFree) {
      await this.#end();
      this.#folder = mkdtempSync(join(tmpdir(), "bough-test-"));
      seat = startIn({ place: makePlace({ ...this.#options, folder: this.#folder }), columns, rows });
      this.#seat = seat;
    } else {
      for (const file of sessionFiles(seat.place)) rmSync(file);
      for (const name of readdirSync(seat.place.cwd)) rmSync(join(seat.place.cwd, name), { recursive: true });
      writeProject(seat.place.cwd);
      seat.terminal.resize(columns, rows);
    }
    this.#isFree = false;
    await seat.terminal.shows("New session");
    return seat;
  }

  async atDemo(size: Size = {}): Promise<DemoSeat> {
    const seat = await this.atNew(size);
    const file = addDemo(seat.place);
    await command(seat, `/resume ${DEMO_ID}`, "and bring it home");
    return { ...seat, file };
  }

  /** Closes the session, as quitting does: it can be read now. */
  async leave(seat: Seat): Promise<void> {
    await idle(seat);
    await command(seat, "/new", "The previous one is saved");
    this.#isFree = true;
  }

  async #end(): Promise<void> {
    if (this.#seat === undefined) return;
    this.#seat.terminal.kill();
    await this.#seat.terminal.ends();
    rmSync(this.#folder, { recursive: true, force: true });
    this.#seat = undefined;
  }
}
