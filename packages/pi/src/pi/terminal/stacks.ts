/** Components of newer versions of pi-tui than the bundled one: rows, columns, and wrappers. */
import { type Component, Container, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

interface StackEntryOptions {
  readonly basis?: number | "auto";
  readonly grow?: number;
  readonly shrink?: number;
  readonly minSize?: number;
  readonly maxSize?: number;
  readonly visible?: (viewport: { readonly width: number; readonly height: number }) => boolean;
}

interface StackEntry extends StackEntryOptions {
  readonly component: Component;
}

interface StackOptions {
  readonly gap?: number;
  readonly align?: "stretch" | "start" | "center" | "end";
}

abstract class Stack extends Container {
  protected readonly entries: StackEntry[] = [];
  protected readonly gap: number;
  protected readonly align: NonNullable<StackOptions["align"]>;

  constructor(children: readonly (Component | StackEntry)[] = [], { gap = 0, align = "stretch" }: StackOptions = {}) {
    super();
    this.gap = gap;
    this.align = align;
    for (const child of children) {
      if ("component" in child) this.addChild(child.component, child);
      else this.addChild(child);
    }
  }

  override addChild(component: Component, options: StackEntryOptions = {}): void {
    super.addChild(component);
    this.entries.push({ ...options, component });
  }

  override removeChild(component: Component): void {
    super.removeChild(component);
    const at = this.entries.findIndex((entry) => entry.component === component);
    if (at >= 0) this.entries.splice(at, 1);
  }

  override clear(): void {
    super.clear();
    this.entries.length = 0;
  }

  /** How much of the free space goes before an aligned component. */
  protected before(free: number): number {
    if (this.align === "center") return Math.max(0, Math.floor(free / 2));
    return this.align === "end" ? Math.max(0, free) : 0;
  }

  /** The entries that are visible at this size. */
  protected shown(width: number): readonly StackEntry[] {
    return this.entries.filter(({ visible }) => visible?.({ width, height: Number.POSITIVE_INFINITY }) ?? true);
  }
}

/** Stacks components vertically. */
export class VStack extends Stack {
  override render(width: number): string[] {
    const lines: string[] = [];
    for (const [index, { component }] of this.shown(width).entries()) {
      if (index > 0) for (let n = 0; n < this.gap; n++) lines.push("");
      lines.push(
        ...component.render(width).map((line) => `${" ".repeat(this.before(width - visibleWidth(line)))}${line}`),
      );
    }
    return lines;
  }
}

/** Puts components side by side. An entry with a `basis` gets that width; the rest is shared by `grow`. */
export class HStack extends Stack {
  override render(width: number): string[] {
    const entries = this.shown(width);
    const widths = this.#widths(entries, width);
    const columns = entries.map(({ component }, index) => component.render(Math.max(1, widths[index] ?? 1)));
    const rows = Math.max(0, ...columns.map((lines) => lines.length));
    return Array.from({ length: rows }, (_, row) => {
      const cells = columns.map((lines, index) =>
        cell(lines[row - this.before(rows - lines.length)] ?? "", widths[index] ?? 1),
      );
      return truncateToWidth(cells.join(" ".repeat(this.gap)), width, "");
    });
  }

  #widths(entries: readonly StackEntry[], width: number): number[] {
    const free = Math.max(0, width - this.gap * Math.max(0, entries.length - 1));
    const sizes = entries.map(({ basis, minSize = 0, component }) => {
      if (typeof basis === "number") return Math.max(minSize, basis);
      if (basis === "auto") return Math.max(minSize, ...component.render(free).map(visibleWidth));
      return minSize;
    });
    const growth = entries.map(({ grow, basis }) => grow ?? (basis === undefined ? 1 : 0));
    const shares = growth.reduce((sum, share) => sum + share, 0);
    const left = free - sizes.reduce((sum, size) => sum + size, 0);
    if (left < 0) return shrunk(entries, sizes, -left);
    if (shares === 0 || left === 0) return sizes;
    return sizes.map((size, index) => {
      const grown = size + Math.floor((left * (growth[index] ?? 0)) / shares);
      return Math.min(entries[index]?.maxSize ?? grown, grown);
    });
  }
}

/** Takes the excess from entries with a `shrink`, more from larger ones, but never below their `minSize`. */
function shrunk(entries: readonly StackEntry[], sizes: readonly number[], excess: number): number[] {
  const weights = entries.map(({ shrink = 0 }, index) => shrink * (sizes[index] ?? 0));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return [...sizes];
  return sizes.map((size, index) => {
    const smaller = size - Math.ceil((excess * (weights[index] ?? 0)) / all);
    return Math.max(entries[index]?.minSize ?? 1, smaller);
  });
}

function cell(line: string, width: number): string {
  const cut = truncateToWidth(line, width, "");
  return cut + " ".repeat(Math.max(0, width - visibleWidth(cut)));
}

interface ScrollOptions {
  readonly follow?: "none" | "end";
}

/** A window onto a long component. Until `updateLayout` is called, it is as tall as its content. */
export class ScrollView extends Container {
  readonly followEnd: boolean;
  readonly #child: Component;
  #top = 0;
  #height: number | undefined;
  #content = 0;

  constructor(component: Component, { follow = "none" }: ScrollOptions = {}) {
    super();
    this.#child = component;
    this.followEnd = follow === "end";
    super.addChild(component);
  }

  get scrollTop(): number {
    return this.#top;
  }

  get viewportHeight(): number {
    return this.#height ?? this.#content;
  }

  get isFollowingEnd(): boolean {
    return this.followEnd && this.#top >= this.#last;
  }

  scrollTo(top: number): void {
    this.#top = Math.max(0, Math.min(top, this.#last));
  }

  /** Returns by how many lines it scrolled. */
  scrollBy(lines: number): number {
    const before = this.#top;
    this.scrollTo(before + lines);
    return this.#top - before;
  }

  scrollToStart(): void {
    this.scrollTo(0);
  }

  scrollToEnd(): void {
    this.scrollTo(this.#last);
  }

  updateLayout(contentHeight: number, viewportHeight: number): void {
    const atEnd = this.isFollowingEnd;
    this.#content = contentHeight;
    this.#height = viewportHeight;
    if (atEnd) this.scrollToEnd();
    else this.scrollTo(this.#top);
  }

  override render(width: number): string[] {
    const lines = this.#child.render(width);
    this.#content = lines.length;
    return this.#height === undefined ? lines : lines.slice(this.#top, this.#top + this.#height);
  }

  get #last(): number {
    return Math.max(0, this.#content - this.viewportHeight);
  }
}

/** Draws the component but never calls its mouse handler, because Bough leaves the mouse to the terminal. */
export class MouseRegion implements Component {
  readonly #child: Component;

  constructor(child: Component, _onMouse: unknown) {
    this.#child = child;
  }

  render(width: number): string[] {
    return this.#child.render(width);
  }

  handleInput(data: string): void {
    this.#child.handleInput?.(data);
  }

  invalidate(): void {
    this.#child.invalidate();
  }
}
