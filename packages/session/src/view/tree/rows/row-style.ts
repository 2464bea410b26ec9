/** The level of detail of a row, by the width of the whole screen. */
export type RowStyle = "wide" | "medium" | "narrow" | "tiny";

export function rowStyle(width: number): RowStyle {
  return width >= 80 ? "wide" : width >= 60 ? "medium" : width >= 40 ? "narrow" : "tiny";
}
