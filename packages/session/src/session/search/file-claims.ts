/** Which thread searches which file, in memory shared by all threads of a search, so that none waits for work. */
export class FileClaims {
  /** The number of claimed files, followed by the claimant of each file. */
  readonly shared: Int32Array;

  /** Pass a number of files, or the `shared` memory of another thread. */
  constructor(files: number | Int32Array) {
    const bytes = (count: number): number => (count + 1) * Int32Array.BYTES_PER_ELEMENT;
    this.shared = typeof files === "number" ? new Int32Array(new SharedArrayBuffer(bytes(files))) : files;
  }

  /** The index of the first unclaimed file, or -1. `who` is a number above 0. */
  take(who: number): number {
    if (this.allTaken) return -1;
    const file = Atomics.add(this.shared, 0, 1);
    // Another thread may have been quicker.
    if (file + 1 >= this.shared.length) return -1;
    Atomics.store(this.shared, file + 1, who);
    return file;
  }

  get allTaken(): boolean {
    return Atomics.load(this.shared, 0) + 1 >= this.shared.length;
  }

  takenBy(who: number): number[] {
    const files: number[] = [];
    for (let file = 0; file + 1 < this.shared.length; file++) {
      if (Atomics.load(this.shared, file + 1) === who) files.push(file);
    }
    return files;
  }
}
