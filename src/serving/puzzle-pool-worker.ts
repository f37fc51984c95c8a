// The thread in which a puzzle pool grades.
import { answerTasks } from "../base/deadline-pool.ts";
import { messageOf } from "../base/errors.ts";
import { PuzzleKeys, type ScoringTask } from "./puzzle-keys.ts";
import { failedScore } from "./score.ts";

const keys = new PuzzleKeys();

answerTasks((task: ScoringTask) => {
  try {
    return keys.score(task);
  } catch (error) {
    // A bug of ours costs this one rollout its score, and says so; its siblings keep theirs.
    return failedScore(`the grader failed: ${messageOf(error)}`);
  }
});
