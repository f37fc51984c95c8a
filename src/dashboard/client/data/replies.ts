// Which reply each route gives.
import type {
  ChangesReply,
  ClassifierReply,
  ComparisonReply,
  JuryReply,
  MotifReply,
  MotifsReply,
  NotesReply,
  PairsReply,
  ProblemReply,
  ProblemsReply,
  RepertoireReply,
  RolloutsReply,
  RunReply,
  RunsReply,
  SideBySideReply,
  SimilarReply,
  TraceReply,
  TrainingReply,
} from "../../api.ts";

export type Replies = {
  readonly runs: RunsReply;
  readonly run: RunReply;
  readonly training: TrainingReply;
  readonly problems: ProblemsReply;
  readonly changes: ChangesReply;
  readonly problem: ProblemReply;
  readonly "side-by-side": SideBySideReply;
  readonly rollouts: RolloutsReply;
  readonly trace: TraceReply;
  readonly pairs: PairsReply;
  readonly comparison: ComparisonReply;
  readonly repertoire: RepertoireReply;
  readonly motifs: MotifsReply;
  readonly motif: MotifReply;
  readonly notes: NotesReply;
  readonly similar: SimilarReply;
  readonly jury: JuryReply;
  readonly classifier: ClassifierReply;
};
