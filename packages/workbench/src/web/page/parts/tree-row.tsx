/** One row of the tree, with the same text as in the terminal. */
import { counted, shortAge } from "@bough/session/text/index.js";
import {
  describeRow,
  type RowParts,
  type TreeModel,
  type TreeRow,
  type TreeState,
  UNICODE_GLYPHS,
} from "@bough/session/view/index.js";

interface RowProps {
  readonly model: TreeModel;
  readonly state: TreeState;
  readonly row: TreeRow;
  /** Its index among all rows. */
  readonly at: number;
  readonly position: number;
  readonly setSize: number;
  readonly isCursor: boolean;
  readonly isTabStop: boolean;
  readonly isChosen: boolean;
  readonly isOnPath: boolean;
  readonly now: number;
}

/** From this many open branches on, the indent stays the same and a number shows the depth. */
const MOST_LEVELS = 4;

export function Row(props: RowProps) {
  const { model, state, row, isCursor, isChosen, isOnPath } = props;
  const parts = describeRow(model, state, row);
  const depth = row.rails.length;
  const classes = ["row", row.kind, `sign-${parts.sign}`, isCursor ? "cursor" : "", isChosen ? "chosen" : ""];
  return (
    <div
      role="treeitem"
      class={`${classes.filter((name) => name !== "").join(" ")}${isOnPath ? " on-path" : ""}`}
      tabIndex={props.isTabStop ? 0 : -1}
      aria-level={depth + 1}
      aria-posinset={props.position}
      aria-setsize={props.setSize}
      aria-selected={isCursor}
      aria-current={isChosen ? "true" : undefined}
      aria-expanded={row.kind === "side" ? row.open : undefined}
      data-at={props.at}
      title={parts.text.length > 30 ? parts.text.slice(0, 300) : undefined}
    >
      <span class={`rails level-${Math.min(depth, MOST_LEVELS)}`} aria-hidden="true">
        {depth > MOST_LEVELS ? `${UNICODE_GLYPHS.deeper}${depth}` : ""}
      </span>
      <Sign row={row} parts={parts} />
      <span class="words">
        {parts.branch === undefined ? null : <b>#{parts.branch} </b>}
        <bdi>{parts.text}</bdi>
      </span>
      <Details parts={parts} now={props.now} />
    </div>
  );
}

/** A fold button for pointers, hidden from screen readers: keyboards fold with the arrows. */
function Sign({ row, parts }: { readonly row: TreeRow; readonly parts: RowParts }) {
  return (
    <span class={row.kind === "side" ? "sign fold" : "sign"} aria-hidden="true">
      {parts.sign === "none" ? "" : UNICODE_GLYPHS[parts.sign]}
    </span>
  );
}

function Details({ parts, now }: { readonly parts: RowParts; readonly now: number }) {
  const { active, labels, trouble, remark, matchesInside, length, tools, files, time } = parts;
  const count = length === undefined ? "" : length.of === "turns" ? counted(length.count, "turn") : `${length.count}`;
  const work = tools > 0 ? counted(tools, "tool") : files > 0 ? counted(files, "file") : "";
  return (
    <>
      {active ? <span class="active">{UNICODE_GLYPHS.back} active</span> : null}
      {labels.map(({ label }) => (
        <span class="label" key={label}>
          [<bdi>{label}</bdi>]
        </span>
      ))}
      {trouble === undefined ? null : (
        <span class="trouble">
          {UNICODE_GLYPHS.failed}
          <span class="visually-hidden"> {trouble}</span>
        </span>
      )}
      {remark === undefined ? null : <span class="trouble">{remark}</span>}
      {matchesInside === 0 ? null : <span class="inside">{counted(matchesInside, "match", "matches")}</span>}
      <span class="amount">{count || work}</span>
      <span class="age">{time > 0 ? shortAge(time, now) : ""}</span>
    </>
  );
}
