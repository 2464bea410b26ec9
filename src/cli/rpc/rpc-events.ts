import type { AgentEvent } from "../../agent/index.js";

/** What each event tells, for the documentation. The compiler asks for a line when the agent gets a new one. */
export const AGENT_EVENT_TEXTS = {
  run_start: "A run starts: one prompt and everything that follows.",
  run_end: "A run is over; `outcome` says how.",
  turn_start: "One model step and its tool calls start.",
  turn_end: "One model step and its tool calls are over.",
  message_start: "A message starts.",
  message_update: "A piece of the answer, or of the thinking.",
  tool_input: "A piece of a tool's input, as JSON text.",
  message_end: "A message is complete and in the file.",
  tool_start: "A tool runs.",
  tool_update: "Output of a running tool so far.",
  tool_end: "A tool is done.",
  retry: "The step failed and is retried; discard what it said.",
  queue: "The queue has changed.",
  queue_returned: "Queued texts that will not be sent, and why: the run failed, it was stopped, or the session moved.",
  stopping: "The run is being stopped. A text sent with `steer` or `followUp` from now on becomes the next prompt.",
  summary_start: "A summary is being written.",
  summary_update: "A piece of the summary.",
  summary_end: "The summary is done, has failed, or was stopped.",
  moved: "The leaf has moved.",
  compacted: "A compaction was written.",
  session_changed: "The agent switched to another session.",
  model_changed: "Another model or thinking level is in use.",
  entries: "Entries other than messages were written.",
  extension_problem: "An extension failed. If a guard fails, the action it guards is blocked, and the message says so.",
  notice: "A notice for the user.",
} as const satisfies Readonly<Record<AgentEvent["type"], string>>;

/** Events of the front ends themselves. */
export const FRONT_END_EVENT_TEXTS = {
  session: "Always the first line: version, session, working directory, model.",
  question_closed: "RPC: the question with this `id` no longer needs an answer.",
  ui_status: "RPC: an extension shows `text` in the status line under its `key`; null removes it.",
  ui_widget:
    "RPC: an extension shows `lines` above or below the editor (`placement`) under its `key`; null removes them.",
  ui_title: "RPC: an extension sets the title of the window.",
  ui_editor_text: "RPC: an extension puts `text` into the editor, to be edited and sent.",
  error: "JSON mode: the prompt could not be processed; `code`, `message`, `hint` and `data` say why.",
} as const;
