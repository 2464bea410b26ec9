// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** The named types by group, as earlier versions had them. */
import type {
  ArchiveOutcome,
  CherryPickOutcome,
  CommandOutcome,
  CompactOutcome,
  ContentInput,
  ContextEdit,
  ForeignSession,
  ForkResult,
  ImageInput,
  ListedCommand,
  LossReport,
  MergeOutcome,
  ModelInfo,
  ModelInUse,
  MovedFiles,
  NavigatePlan,
  NavigateResult,
  PinPlan,
  PlannedEntries,
  QueuedTexts,
  RestoreOutcome,
  SearchProgress,
  Setting,
  SkippedPick,
  SwitchResult,
  TextPart,
  TreeNode,
  UndoneCompaction,
  Written,
} from "./answers.js";
import type {
  BranchSummaryEntry,
  CompactionEntry,
  ContextEditEntry,
  CustomEntry,
  CustomMessageEntry,
  Entry,
  EntryBase,
  LabelEntry,
  MessageEntry,
  ModeChangeEntry,
  ModelChangeEntry,
  OtherEntry,
  ResetBoundaryEntry,
  RuleInjectionEntry,
  SessionHeader,
  SessionInfoEntry,
  ThinkingLevelChangeEntry,
  UnreadableEntry,
  UsageEntry,
} from "./entries.js";
import type { FileDifference, FilePreview, FileState, PlannedFile, SkippedFile, WrittenBy } from "./files.js";
import type {
  AssistantMessage,
  BashExecutionMessage,
  BranchSummaryMessage,
  CompactionSummaryMessage,
  Content,
  Cost,
  CustomMessage,
  Cut,
  ImageBlock,
  Message,
  OtherMessage,
  SystemMessage,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "./messages.js";
import type {
  Arrival,
  ChangedFile,
  Delivery,
  Fault,
  ModelFailure,
  Replica,
  RunOutcome,
  SyncedSession,
} from "./outcomes.js";
import type { MoveFiles, MoveOptions, Page, Paged } from "./parts.js";
import type {
  BranchComparison,
  BranchSide,
  DroppedBytes,
  ExportedSession,
  Finding,
  Problem,
  RepairChange,
  RepairReport,
  SearchHit,
  SecretFinding,
  SessionInfo,
  SessionStats,
  StoredSession,
  Totals,
} from "./sessions.js";

/** @deprecated Import the types by their own names. */
export interface MessageShapes {
  readonly Message: Message;
  readonly UserMessage: UserMessage;
  readonly Content: Content;
  readonly TextBlock: TextBlock;
  readonly ImageBlock: ImageBlock;
  readonly Cut: Cut;
  readonly AssistantMessage: AssistantMessage;
  readonly ThinkingBlock: ThinkingBlock;
  readonly ToolCallBlock: ToolCallBlock;
  readonly Usage: Usage;
  readonly Cost: Cost;
  readonly ToolResultMessage: ToolResultMessage;
  readonly BashExecutionMessage: BashExecutionMessage;
  readonly CustomMessage: CustomMessage;
  readonly BranchSummaryMessage: BranchSummaryMessage;
  readonly CompactionSummaryMessage: CompactionSummaryMessage;
  readonly SystemMessage: SystemMessage;
  readonly OtherMessage: OtherMessage;
}

/** @deprecated Import the types by their own names. */
export interface EntryShapes {
  readonly Entry: Entry;
  readonly MessageEntry: MessageEntry;
  readonly ModelChangeEntry: ModelChangeEntry;
  readonly ThinkingLevelChangeEntry: ThinkingLevelChangeEntry;
  readonly ModeChangeEntry: ModeChangeEntry;
  readonly RuleInjectionEntry: RuleInjectionEntry;
  readonly CompactionEntry: CompactionEntry;
  readonly BranchSummaryEntry: BranchSummaryEntry;
  readonly CustomEntry: CustomEntry;
  readonly CustomMessageEntry: CustomMessageEntry;
  readonly LabelEntry: LabelEntry;
  readonly SessionInfoEntry: SessionInfoEntry;
  readonly ContextEditEntry: ContextEditEntry;
  readonly ResetBoundaryEntry: ResetBoundaryEntry;
  readonly UsageEntry: UsageEntry;
  readonly UnreadableEntry: UnreadableEntry;
  readonly OtherEntry: OtherEntry;
  readonly SessionHeader: SessionHeader;
  readonly EntryBase: EntryBase;
}

/** @deprecated Import the types by their own names. */
export interface OutcomeShapes {
  readonly SyncedSession: SyncedSession;
  readonly Arrival: Arrival;
  readonly Replica: Replica;
  readonly RunOutcome: RunOutcome;
  readonly ModelFailure: ModelFailure;
  readonly ChangedFile: ChangedFile;
  readonly Fault: Fault;
  readonly Delivery: Delivery;
}

/** @deprecated Import the types by their own names. */
export interface SessionShapes {
  readonly SessionInfo: SessionInfo;
  readonly StoredSession: StoredSession;
  readonly SessionStats: SessionStats;
  readonly Totals: Totals;
  readonly BranchComparison: BranchComparison;
  readonly BranchSide: BranchSide;
  readonly Finding: Finding;
  readonly RepairReport: RepairReport;
  readonly RepairChange: RepairChange;
  readonly DroppedBytes: DroppedBytes;
  readonly Problem: Problem;
  readonly SearchHit: SearchHit;
  readonly ExportedSession: ExportedSession;
  readonly SecretFinding: SecretFinding;
}

/** @deprecated Import the types by their own names. */
export interface FileShapes {
  readonly PlannedFile: PlannedFile;
  readonly FileState: FileState;
  readonly FileDifference: FileDifference;
  readonly FilePreview: FilePreview;
  readonly SkippedFile: SkippedFile;
  readonly WrittenBy: WrittenBy;
}

/** @deprecated Import the types by their own names. */
export interface PartShapes {
  readonly MoveOptions: MoveOptions;
  readonly MoveFiles: MoveFiles;
  readonly Page: Page;
  readonly Paged: Paged;
}

/** @deprecated Import the types by their own names. */
export interface AnswerShapes {
  readonly ArchiveOutcome: ArchiveOutcome;
  readonly CherryPickOutcome: CherryPickOutcome;
  readonly CommandOutcome: CommandOutcome;
  readonly CompactOutcome: CompactOutcome;
  readonly ContentInput: ContentInput;
  readonly ContextEdit: ContextEdit;
  readonly ForeignSession: ForeignSession;
  readonly ForkResult: ForkResult;
  readonly ImageInput: ImageInput;
  readonly ListedCommand: ListedCommand;
  readonly LossReport: LossReport;
  readonly MergeOutcome: MergeOutcome;
  readonly ModelInUse: ModelInUse;
  readonly ModelInfo: ModelInfo;
  readonly MovedFiles: MovedFiles;
  readonly NavigatePlan: NavigatePlan;
  readonly NavigateResult: NavigateResult;
  readonly PinPlan: PinPlan;
  readonly PlannedEntries: PlannedEntries;
  readonly QueuedTexts: QueuedTexts;
  readonly RestoreOutcome: RestoreOutcome;
  readonly SearchProgress: SearchProgress;
  readonly Setting: Setting;
  readonly SkippedPick: SkippedPick;
  readonly SwitchResult: SwitchResult;
  readonly TextPart: TextPart;
  readonly TreeNode: TreeNode;
  readonly UndoneCompaction: UndoneCompaction;
  readonly Written: Written;
}
