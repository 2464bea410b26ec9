/** The kinds of records that this reader knows. Other kinds are kept as notes and named in the report. */

const KNOWN_TYPES: ReadonlySet<string> = new Set([
  ...["session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state", "state"],
  ...["inter_agent_communication", "inter_agent_communication_metadata", "security_risk_score", "token_usage_record"],
]);

const KNOWN_ITEMS: ReadonlySet<string> = new Set([
  ...["message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"],
  ...["local_shell_call", "tool_search_call", "tool_search_output", "web_search_call", "image_generation_call"],
  ...["agent_message", "compaction", "compaction_summary", "context_compaction", "ghost_snapshot"],
]);

const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  ...["task_started", "turn_started", "task_complete", "turn_complete", "turn_aborted", "thread_rolled_back"],
  ...["token_count", "thread_goal_updated", "thread_settings_applied", "thread_name_updated", "user_message"],
  ...["agent_message", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break"],
  ...["entered_review_mode", "exited_review_mode", "patch_apply_begin", "patch_apply_end", "context_compacted"],
  ...["mcp_tool_call_begin", "mcp_tool_call_end", "web_search_begin", "web_search_end", "image_generation_begin"],
  ...["image_generation_end", "sub_agent_activity", "item_completed", "exec_command_begin", "exec_command_end"],
  ...["error", "warning", "stream_error", "view_image_tool_call", "guardian_assessment", "undo_completed"],
  ...["collab_agent_spawn_begin", "collab_agent_spawn_end", "collab_agent_interaction_end", "collab_waiting_end"],
  ...["collab_close_end", "collab_resume_end", "dynamic_tool_call_request", "dynamic_tool_call_response"],
  ...["account/rateLimits/updated", "plan_update", "turn_diff", "background_event"],
]);

const KNOWN_COMPLETED: ReadonlySet<string> = new Set([
  ...["UserMessage", "AgentMessage", "Reasoning", "Plan", "CommandExecution", "FileChange", "McpToolCall"],
  ...["DynamicToolCall", "WebSearch", "ImageView", "ImageGeneration", "CollabAgentToolCall", "SubAgentActivity"],
  ...["HookPrompt", "EnteredReviewMode", "ExitedReviewMode", "ContextCompaction", "Extension"],
]);

export function isKnownRecord(type: string, kind: string, completed: string | undefined): boolean {
  if (type === "response_item") return KNOWN_ITEMS.has(kind);
  if (type !== "event_msg") return KNOWN_TYPES.has(type);
  return completed === undefined ? KNOWN_EVENTS.has(kind) : KNOWN_COMPLETED.has(completed);
}
