// Is the final answer of a response the gold answer? Equal, different, or undecided; never a guess.
import { gradeMath } from "repertoire/grading/math";

const cases = [
  ["\\frac{1}{2}", "Adding both sides gives $x = 0.5$."],
  ["\\{1, 3\\}", "The roots are \\boxed{3, 1}."],
  ["2\\sqrt{3}", "So the length is \\boxed{\\sqrt{12}}."],
  ["2\\sqrt{3}", "So the length is \\boxed{3\\sqrt{2}}."],
  ["concave up on $(0, 1)$", "The graph is concave on $(0, 1)$."],
];
for (const [gold, response] of cases) {
  const { verdict, because, answer } = gradeMath(gold, response);
  console.log(`${gold}  ~  ${answer}: ${verdict} (${because})`);
}

// What counts as equal can be chosen.
console.log(gradeMath("3.14159", "about 3.15", { tolerance: { relative: 0.01 } }).verdict);
