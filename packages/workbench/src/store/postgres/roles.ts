/** Whether the users of a database have roles, also if that changes while this program runs. */
import { StoreError } from "../store-error.js";
import type { Database } from "./database.js";
import { checkSetUp, type SetUp } from "./set-up.js";

export class Roles {
  readonly #database: Database;
  #setUp: SetUp;

  constructor(database: Database, setUp: SetUp) {
    this.#database = database;
    this.#setUp = setUp;
  }

  get setUp(): SetUp {
    return this.#setUp;
  }

  get areOn(): boolean {
    return this.#setUp.sharing === "team";
  }

  /** Asks the database, unless they are known to be on: they are never turned off. */
  async areOnNow(): Promise<boolean> {
    if (!this.areOn) this.#setUp = await checkSetUp(this.#database);
    return this.areOn;
  }

  /** Repeats work that is refused because roles were turned on meanwhile. */
  async using<Result>(work: (areOn: boolean) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.areOn);
    } catch (error) {
      if (this.areOn || !(error instanceof StoreError) || error.code !== "store-refused") throw error;
      if (!(await this.areOnNow().catch(() => false))) throw error;
      return work(true);
    }
  }
}
