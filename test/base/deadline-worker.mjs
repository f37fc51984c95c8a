// A thread whose tasks say what becomes of them; a number is answered with itself.
import { answerTasks } from "../../dist/base/deadline-pool.js";

answerTasks((task) => {
  if (task === "stuck") for (;;);
  if (task === "full") for (const held = []; ; ) held.push(new Array(100_000).fill(held.length));
  if (task === "broken") throw new Error("our own bug");
  return task;
});
