// A round of 526 pairs (and 46 of letters, words and marks that touch a box), written with their verdicts before the grader was asked: what an answer looks like that is nearly right, and
// what may stand around a box. `5!` outside of a formula is joy, not a factorial.
import { type Pairs, pairs } from "./pairs.ts";

export const table: Readonly<Record<string, Pairs>> = {
  "round: units once more": {
    paid: pairs(String.raw`
      3 \text{ m} ¦ \boxed{300 \text{ cm}}
      3 \text{ m}^2 ¦ \boxed{30000 \text{ cm}^2}
      90 \text{ km/h} ¦ \boxed{25 \text{ m/s}}
      2.5 \text{ hours} ¦ \boxed{150 \text{ minutes}} ¦ \boxed{2 \text{ hours } 30 \text{ minutes}}
      \$0.05 ¦ \boxed{5 \text{ cents}}
      20^\circ\text{C} ¦ \boxed{20^\circ\text{C}}
    `),
    unpaid: pairs(String.raw`
      3 \text{ m} ¦ \boxed{300 \text{ m}}
      3 \text{ m}^2 ¦ \boxed{300 \text{ cm}^2}
      90 \text{ km/h} ¦ \boxed{25 \text{ km/h}}
      5 \text{ kg} ¦ \boxed{5 \text{ lb}}
      2.5 \text{ hours} ¦ \boxed{2 \text{ hours } 50 \text{ minutes}}
      \$5 ¦ \boxed{5 \text{ cents}} ¦ \boxed{\text{€}5}
      12 \text{ inches} ¦ \boxed{1 \text{ yard}}
      20^\circ\text{C} ¦ \boxed{20^\circ\text{F}}
      7 ¦ The answer is 7 dozen. ¦ The answer is 7%.
      60 \text{ mph} ¦ \boxed{60 \text{ km/h}}
      45 \text{ square feet} ¦ \boxed{45 \text{ cubic feet}}
    `),
  },
  "round: intervals": {
    paid: pairs(String.raw`
      (2, 5) ¦ \boxed{2 < x < 5} ¦ \boxed{]2, 5[}
      [2, 5) ¦ \boxed{[2, 5[}
      (-\infty, 3) ¦ \boxed{x < 3}
      (-\infty, 3) \cup (3, \infty) ¦ \boxed{x \ne 3} ¦ \boxed{\mathbb{R} \setminus \{3\}}
      [0,1] \cup [1,2] ¦ \boxed{[0,2]}
      [-2, 2] ¦ \boxed{|x| \le 2}
      x \in (0, 1) ¦ \boxed{0 < x < 1}
    `),
    unpaid: pairs(String.raw`
      (2, 5) ¦ \boxed{2 \le x < 5}
      [2, 5) ¦ \boxed{(2, 5]}
      ]2, 5[ ¦ \boxed{[2, 5]}
      (-\infty, 3) ¦ \boxed{x > 3} ¦ \boxed{x \le 3} ¦ \boxed{(-\infty, 3) \cup \{4\}}
      (-\infty, 3) \cup (3, \infty) ¦ \boxed{\mathbb{R}}
      (-\infty, 3] \cup (5, \infty) ¦ \boxed{(-\infty, 3) \cup (5, \infty)}
      [0,1) \cup (1,2] ¦ \boxed{[0,2]}
      (3, 2) ¦ \boxed{(2, 3)}
      (1, 2) ¦ \boxed{[1, 2]}
      [-2, 2] ¦ \boxed{|x| < 2}
      x \in (0, 1) ¦ \boxed{0 < y < 1}
      x > 5 ¦ \boxed{x \ge 5} ¦ \boxed{5}
      5 ¦ \boxed{x > 5} ¦ \boxed{x \ge 5}
    `),
  },
  "round: sets": {
    paid: pairs(String.raw`
      \{1,2,3\} ¦ \boxed{\{3,1,2\}}
      \{\{1,2\},\{3\}\} ¦ \boxed{\{\{3\},\{2,1\}\}}
      \emptyset ¦ \boxed{\{\}}
      \{x \mid x > 2\} ¦ \boxed{(2, \infty)}
      1, 2, 3 ¦ \boxed{3, 2, 1}
    `),
    unpaid: pairs(String.raw`
      \{1,2,3\} ¦ \boxed{\{1,2\}}
      \{1,2\} ¦ \boxed{\{\{1\},\{2\}\}}
      \emptyset ¦ \boxed{\{0\}} ¦ \boxed{0} ¦ \boxed{\{\emptyset\}}
      \mathbb{Z} ¦ \boxed{\mathbb{N}}
      \{x : x > 2\} ¦ \boxed{\{x : x < 2\}}
      \{2, 4, 6, \ldots\} ¦ \boxed{\{2, 4, 6\}}
      1, 2, 3 ¦ \boxed{1, 2}
      \{1, 2\} ¦ \boxed{[1, 2]}
    `),
  },
  "round: plus-minus": {
    paid: pairs(String.raw`
      \pm 3 ¦ \boxed{3, -3} ¦ \boxed{x = 3 \text{ or } x = -3}
      2 \pm \sqrt{3} ¦ \boxed{2+\sqrt3, 2-\sqrt3}
      \frac{1 \pm \sqrt{5}}{2} ¦ \boxed{\frac{1+\sqrt5}{2}, \frac{1-\sqrt5}{2}}
      x = \pm 2 ¦ \boxed{x = -2, 2}
    `),
    unpaid: pairs(String.raw`
      \pm 3 ¦ \boxed{3} ¦ \boxed{-3}
      3 ¦ \boxed{\pm 3}
      2 \pm \sqrt{3} ¦ \boxed{2+\sqrt3} ¦ \boxed{-2 \pm \sqrt{3}}
      5 \pm 0.1 ¦ \boxed{5}
    `),
  },
  "round: mixed numbers": {
    paid: pairs(String.raw`
      2\frac{1}{3} ¦ \boxed{\frac{7}{3}}
      7/3 ¦ \boxed{2 \frac{1}{3}}
      -2\frac{1}{2} ¦ \boxed{-\frac{5}{2}}
      1 1/4 ¦ \boxed{1.25}
      3\frac{5}{4} ¦ \boxed{\frac{15}{4}}
    `),
    unpaid: pairs(String.raw`
      2\frac{1}{3} ¦ \boxed{\frac{2}{3}}
      -2\frac{1}{2} ¦ \boxed{-\frac{3}{2}}
      11/4 ¦ \boxed{1 1/4}
    `),
  },
  "round: percent": {
    paid: pairs(String.raw`
      25\% ¦ \boxed{0.25} ¦ \boxed{\frac14}
      12.5\% ¦ \boxed{\frac{1}{8}}
      33\frac{1}{3}\% ¦ \boxed{\frac13}
    `),
    unpaid: pairs(String.raw`
      25 ¦ \boxed{25\%}
      25\% ¦ \boxed{0.25\%}
      33\% ¦ \boxed{\frac13}
      5 \text{ percent} ¦ \boxed{5 \text{ percentage points more}}
    `),
  },
  "round: residues": {
    paid: pairs(String.raw`
      3 \pmod{7} ¦ \boxed{10 \pmod 7}
      x \equiv 3 \pmod{7} ¦ \boxed{x \equiv -4 \pmod 7}
      x \equiv 1, 3 \pmod 7 ¦ \boxed{x \equiv 1, 3 \pmod 7}
    `),
    unpaid: pairs(String.raw`
      3 \pmod{7} ¦ \boxed{4 \pmod 7} ¦ \boxed{3 \pmod 8}
      x \equiv 3 \pmod{7} ¦ \boxed{x \equiv 3 \pmod{14}} ¦ \boxed{x = 3}
      x \equiv 1, 3 \pmod 7 ¦ \boxed{x \equiv 1 \pmod 7}
      x \equiv 2 \pmod 5 ¦ \boxed{x \equiv 2 \pmod 3}
    `),
  },
  "round: matrices": {
    paid: pairs(String.raw`
      \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} ¦ \boxed{\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}}
      \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} ¦ \boxed{\begin{pmatrix} 1 & 3 \\ 2 & 4 \end{pmatrix}^T}
      -2 ¦ \boxed{\det\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}}
      \begin{pmatrix} 1 \\ 2 \end{pmatrix} ¦ \boxed{(1, 2)}
      \begin{pmatrix} 0.5 & 0 \\ 0 & 2 \end{pmatrix} ¦ \boxed{\begin{pmatrix} \frac12 & 0 \\ 0 & 2 \end{pmatrix}}
    `),
    unpaid: pairs(String.raw`
      \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} ¦ \boxed{\begin{vmatrix} 1 & 2 \\ 3 & 4 \end{vmatrix}}
      \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} ¦ \boxed{\begin{pmatrix} 1 & 3 \\ 2 & 4 \end{pmatrix}}
      \begin{pmatrix} 1 \\ 2 \end{pmatrix} ¦ \boxed{\begin{pmatrix} 2 \\ 1 \end{pmatrix}}
      \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix} ¦ \boxed{1}
      \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix} ¦ \boxed{\begin{pmatrix} 1 & 0 & 0\\ 0 & 1 & 0 \\ 0 & 0 & 1 \end{pmatrix}}
    `),
  },
  "round: multi-part": {
    paid: pairs(String.raw`
      x = 2, y = 3 ¦ \boxed{y = 3, x = 2} ¦ \boxed{(x, y) = (2, 3)}
      (1,2), (3,4) ¦ \boxed{(3,4), (1,2)}
      3, 4 ¦ The solutions are \boxed{3} and \boxed{4}.
    `),
    unpaid: pairs(String.raw`
      x = 2, y = 3 ¦ \boxed{x = 3, y = 2}
      (2, 3) ¦ \boxed{(x, y) = (3, 2)}
      (a) 5 (b) 7 ¦ \boxed{5}
      a = 1, b = 2, c = 3 ¦ \boxed{a = 1, b = 2}
      (1,2), (3,4) ¦ \boxed{(1,2)} ¦ \boxed{(1,4), (3,2)}
      4 ¦ \boxed{4} or \boxed{5} ¦ Either \boxed{3} or \boxed{4}.
      12 ¦ Part (a): \boxed{12}. Part (b): \boxed{15}.
    `),
  },
  "round: boxes": {
    paid: pairs(String.raw`
      5 ¦ \boxed{\boxed{5}} ¦ \boxed{\text{The answer is } \boxed{5}} ¦ $\boxed{5}$!
    `),
    unpaid: pairs(String.raw`
      5 ¦ \boxed{2 + \boxed{5}} ¦ \boxed{\sqrt{\boxed{5}}} ¦ \sqrt{\boxed{5}} ¦ -\boxed{5} ¦ \boxed{5}^2
      5 ¦ \frac{\boxed{5}}{2} ¦ \boxed{5 ¦ \boxed{5} but actually it is 6. ¦ \boxed{} ¦ x \ne \boxed{5} ¦ 10 - \boxed{5}
      5 ¦ 1\boxed{5} ¦ \boxed{5}0
    `),
  },
  "round: thinking and tags": {
    paid: pairs(String.raw`
      5 ¦ <think>The answer is \boxed{7}</think>\boxed{5} ¦ so I think \boxed{7}</think> The answer is 5.
      5 ¦ <reasoning>\boxed{7}</reasoning><answer>5</answer>
      7 ¦ <answer>5</answer> No: <answer>7</answer>
    `),
    unpaid: pairs(String.raw`
      7 ¦ <think>The answer is \boxed{7}</think>\boxed{5} ¦ <think>The answer is \boxed{7}
      7 ¦ <think>The answer is \boxed{7}</think> ¦ so I think \boxed{7}</think> The answer is 5.
      7 ¦ <reasoning>\boxed{7}</reasoning><answer>5</answer>
      5 ¦ <answer>7</answer> earlier I had <answer>5
    `),
  },
  "round: denials before the value": {
    paid: pairs(String.raw`
      5 ¦ The answer is clearly 5. ¦ Thus, the answer is exactly 5 apples. ¦ The answer is five.
      -5 ¦ The answer is minus five.
    `),
    unpaid: pairs(String.raw`
      5 ¦ The answer is not 5. ¦ The answer isn't 5. ¦ The answer cannot be 5. ¦ The answer is anything but 5.
      5 ¦ It is never 5. ¦ The answer is close to 5. ¦ The answer is less than 5. ¦ The answer is at most 5.
      5 ¦ The answer is between 4 and 5. ¦ The answer is 4 or 5. ¦ The answer might be 5. ¦ I doubt the answer is 5.
      5 ¦ If the answer is 5, then we have a contradiction. ¦ Is the answer 5?
      5 ¦ Some students say the answer is 5, which is wrong. ¦ The answer is rather different from 5.
      5 ¦ No answer other than 4 works, so not \boxed{5} ¦ The answer is 5 more than x. ¦ The answer has 5 digits.
      5 ¦ The answer is the 5th prime. ¦ The answer is question 5. ¦ The answer is a multiple of 5.
      5 ¦ The answer ends in 5. ¦ The answer, unlike 5, is prime. ¦ Answer: none of these. See page 5.
      5 ¦ The answer is minus five.
    `),
  },
  "round: thousands": {
    paid: pairs(String.raw`
      1234567 ¦ \boxed{1,234,567}
      1234.5 ¦ \boxed{1,234.5} ¦ The answer is 1.234,5.
      12.5 ¦ The answer is 12,5.
      1000000 ¦ The answer is 1 million.
      1500000 ¦ The answer is 1.5 million.
    `),
    unpaid: pairs(String.raw`
      1234567 ¦ \boxed{1,234,56} ¦ \boxed{1.234.567} ¦ \boxed{1'234'567}
      1234 ¦ \boxed{(1,234)} ¦ \boxed{1.234}
      1.234 ¦ \boxed{1,234}
      12.5 ¦ \boxed{125}
      12, 5 ¦ \boxed{12.5}
      100 ¦ \boxed{1,00}
    `),
  },
  "round: repeating decimals": {
    paid: pairs(String.raw`
      \frac13 ¦ \boxed{0.\overline{3}} ¦ \boxed{0.333...}
      1 ¦ \boxed{0.\overline{9}}
      \frac{1}{7} ¦ \boxed{0.\overline{142857}}
      \frac{5}{6} ¦ \boxed{0.8\dot{3}}
    `),
    unpaid: pairs(String.raw`
      \frac13 ¦ \boxed{0.3}
      \frac{5}{6} ¦ \boxed{0.\overline{83}}
    `),
  },
  "round: ordered pairs vs intervals": {
    paid: pairs(String.raw`
      (1, 2) ¦ \boxed{(1, 2)}
      \left(\frac12, 3\right) ¦ \boxed{(0.5, 3)}
    `),
    unpaid: pairs(String.raw`
      (1, 2) ¦ \boxed{\{1, 2\}} ¦ \boxed{1.5}
      (5, 3) ¦ \boxed{5 < x < 3}
      (0, \infty) ¦ \boxed{(0, 1)}
    `),
  },
  "round: complex": {
    paid: pairs(String.raw`
      3+4i ¦ \boxed{4i + 3}
      i ¦ \boxed{\sqrt{-1}}
      -1 ¦ \boxed{i^2}
      e^{i\pi/2} ¦ \boxed{i}
      2e^{i\pi/3} ¦ \boxed{1 + \sqrt{3}i}
      2 \operatorname{cis} 60^\circ ¦ \boxed{1 + i\sqrt{3}}
    `),
    unpaid: pairs(String.raw`
      3+4i ¦ \boxed{3-4i} ¦ \boxed{5} ¦ \boxed{4+3i}
      2 \operatorname{cis} 60^\circ ¦ \boxed{1 - i\sqrt{3}}
      |z| = 5 ¦ \boxed{z = 5}
    `),
  },
  "round: inequalities": {
    paid: pairs(String.raw`
      a < b < c ¦ \boxed{c > b > a}
      2x + 1 > 5 ¦ \boxed{x > 2}
      x^2 < 4 ¦ \boxed{-2 < x < 2}
      -x > 3 ¦ \boxed{x < -3}
    `),
    unpaid: pairs(String.raw`
      a < b < c ¦ \boxed{a < c < b}
      a \le b ¦ \boxed{a < b}
      2x + 1 > 5 ¦ \boxed{x > 3}
      x^2 < 4 ¦ \boxed{x < 2}
      -x > 3 ¦ \boxed{x > -3}
      n \ge 10 ¦ \boxed{n = 10} ¦ \boxed{10}
      x \neq 0 ¦ \boxed{x = 0}
    `),
  },
  "round: functions, constants": {
    paid: pairs(String.raw`
      x^2 + C ¦ \boxed{x^2 + c}
      f(x) = 2x + 1 ¦ \boxed{f(t) = 2t + 1}
      y = 2x + 1 ¦ \boxed{2x - y + 1 = 0}
      \frac{\pi}{4} + k\pi ¦ \boxed{\frac{\pi}{4} + n\pi}
      C_1 e^x + C_2 e^{-x} ¦ \boxed{C_1 e^{x} + C_2 e^{-x}}
    `),
    unpaid: pairs(String.raw`
      x^2 + C ¦ \boxed{x^2} ¦ \boxed{Cx^2}
      f(x) = 2x + 1 ¦ \boxed{f(x) = 2x} ¦ \boxed{g(x) = 2x + 3}
      y = 2x + 1 ¦ \boxed{2x + y + 1 = 0}
      \frac{\pi}{4} + k\pi ¦ \boxed{\frac{\pi}{4} + 2k\pi} ¦ \boxed{\frac{\pi}{4}}
      C_1 e^x + C_2 e^{-x} ¦ \boxed{C_1 e^{x} + C_1 e^{-x}}
      a + b ¦ \boxed{a + c}
    `),
  },
  "round: degrees/radians": {
    paid: pairs(String.raw`
      60^\circ ¦ \boxed{\frac{\pi}{3}}
      60 ¦ \boxed{60^\circ}
      \sin 30^\circ ¦ \boxed{\frac12}
      90^\circ 30' ¦ \boxed{90.5^\circ}
    `),
    unpaid: pairs(String.raw`
      60^\circ ¦ \boxed{\frac{\pi}{6}} ¦ \boxed{60 \text{ radians}}
      \frac{\pi}{3} ¦ \boxed{60}
      \sin 30 ¦ \boxed{\frac12}
      90^\circ 30' ¦ \boxed{90.3^\circ}
    `),
  },
  "round: big powers": {
    paid: pairs(String.raw`
      2^{100} ¦ \boxed{4^{50}}
      100! ¦ \boxed{100 \cdot 99!}
    `),
    unpaid: pairs(String.raw`
      2^{100} ¦ \boxed{2^{101}}
      2^{1000} ¦ \boxed{2^{1000}+1}
      3^{2^{100}} ¦ \boxed{3^{2^{101}}}
      100! ¦ \boxed{99!}
      7^{7^{7^7}} ¦ \boxed{7^{7^{7^6}}}
      1.2676506 \times 10^{30} ¦ \boxed{2^{101}}
    `),
  },
  "round: all sorts": {
    paid: pairs(String.raw`
      3.14 ¦ \boxed{3.140}
      1:2 ¦ \boxed{2:4}
      B ¦ The answer is B, not A.
      3 ¦ \boxed{\log_2 8}
      \binom{10}{3} ¦ \boxed{120}
      11_2 ¦ \boxed{3}
      35000 ¦ \boxed{3.5 \times 10^4}
    `),
    unpaid: pairs(String.raw`
      0 ¦ \boxed{-\infty} ¦ \boxed{\frac{1}{0}}
      \infty ¦ \boxed{-\infty} ¦ \boxed{10^{100}}
      \frac{1}{2} ¦ \boxed{\frac{1}{2} + \epsilon}
      \sqrt{2} ¦ \boxed{1.41}
      \pi ¦ \boxed{3.14} ¦ \boxed{\frac{22}{7}}
      3.14 ¦ \boxed{3.141}
      1:2 ¦ \boxed{2:1}
      A ¦ The answer is B, not A.
      C ¦ Options A and C both fail, hence D.
      \log_2 8 ¦ \boxed{\log_8 2}
      yes ¦ \boxed{\text{no}}
      true ¦ \boxed{\text{not true}}
      \text{even} ¦ \boxed{\text{odd}}
      \binom{10}{3} ¦ \boxed{\binom{3}{10}}
      0.1 + 0.2 ¦ \boxed{0.4}
      11_2 ¦ \boxed{11}
      7 ¦ \boxed{7_8 + 1}
      3.5 \times 10^4 ¦ \boxed{3.5 \times 10^{-4}}
    `),
  },
  "round: boxes beside something": {
    paid: pairs(String.raw`
      5 ¦ $x = \boxed{5}$ ¦ $2 + 3 = \boxed{5}$ ¦ $\boxed{5}$ apples ¦ \[\boxed{5}\]
      5 ¦ \boxed{5}\n\nDone ¦ Answer - \boxed{5}
      5 ¦ So, the final answer is:⏎⏎\boxed{5}⏎⏎2. Check: fine ¦ The answer is \boxed{5} $\blacksquare$
      5 ¦ $$\boxed{5}\quad\blacksquare$$ ¦ $\boxed{5} \text{ cm}$ ¦ $\boxed{5}\text{ units}$
      5 ¦ $\boxed{5}\ \text{(final)}$ ¦ 1. First\n2. $\boxed{5}$
      5 ¦ Therefore x = 2 + 3 = \boxed{5}, as required. ¦ So 12 - 7 = \boxed{5}
      60 ¦ $\angle A = \boxed{60}^\circ$
      60^\circ ¦ $\boxed{60}^\circ$
    `),
    unpaid: pairs(String.raw`
      25 ¦ The area is $\boxed{25}\pi$. ¦ The area is \boxed{25}\pi ¦ The area is $\boxed{25} \pi$.
      25 ¦ The area is $\boxed{25}\,\pi$.
      5 ¦ $\boxed{5}\sqrt{2}$ ¦ $\boxed{5}x$ ¦ $\boxed{5} x$ ¦ $x\boxed{5}$ ¦ $\pi\boxed{5}$ ¦ $2\boxed{5}$
      5 ¦ $2 \boxed{5}$ ¦ $2 \cdot \boxed{5}$ ¦ $2 + \boxed{5}$ ¦ $10 - \boxed{5} = 5$ ¦ $10-\boxed{5}$
      5 ¦ $\boxed{5} + 2$ ¦ $\boxed{5} - 2$ ¦ $\boxed{5}-2$ ¦ $\boxed{5}\cdot 2$ ¦ $\boxed{5} \cdot 2$ ¦ $\boxed{5}/2$
      5 ¦ $\boxed{5}/x$ ¦ $\boxed{5}\frac{1}{2}$ ¦ $\sin\boxed{5}$ ¦ $\sin(\boxed{5})$ ¦ $f(\boxed{5})$
      5 ¦ $(\boxed{5}, 6)$ ¦ $|\boxed{-5}|$ ¦ $x^{\boxed{5}}$ ¦ $x^\boxed{5}$ ¦ $x_{\boxed{5}}$ ¦ $\log_{\boxed{5}} 2$
      5 ¦ the \boxed{5}th term ¦ $\boxed{5}\%$ ¦ $\boxed{5}.5$ ¦ $\boxed{5}:3$ ¦ $x > \boxed{5}$ ¦ $x \geq \boxed{5}$
      5 ¦ $\boxed{5} < x$ ¦ $\boxed{5} \leq x$ ¦ $\boxed{5} \ne x$ ¦ $x \not= \boxed{5}$ ¦ $x \approx \boxed{5}.2$
      60 ¦ $\boxed{60}^2$
    `),
  },
  "round: denials behind the value": {
    paid: pairs(String.raw`
      5 ¦ \boxed{5} is correct. ¦ The answer is \boxed{5}, which is not prime times two.
      5 ¦ The answer is 5, which is the smallest such number.
    `),
    unpaid: pairs(String.raw`
      5 ¦ The answer is 5. This is wrong. ¦ The answer is 5. That is incorrect. ¦ The answer is 5, but that is wrong.
      5 ¦ The answer is 5, which is not correct. ¦ The answer is 5 which cannot be right. ¦ \boxed{5} is wrong.
      5 ¦ \boxed{5} is incorrect. ¦ \boxed{5}, which is wrong. ¦ \boxed{5}. This is incorrect. ¦ \boxed{5}? No.
      5 ¦ \boxed{5}, but I am not sure. ¦ \boxed{5} (wrong) ¦ \boxed{5} is not the answer. ¦ \boxed{5} — no, 6.
      5 ¦ \boxed{5}, sorry, 6. ¦ \boxed{5}. No, it is 6. ¦ \boxed{5} is too small. ¦ \boxed{5} does not work.
      5 ¦ \boxed{5} fails. ¦ \boxed{5} would be the naive answer. ¦ One might think \boxed{5}, but no.
      5 ¦ It is wrong to say \boxed{5}.
    `),
  },
  "round: names in sets": {
    paid: pairs(String.raw`
      0 < x < 1 ¦ \boxed{x \in (0, 1)}
      (0,1) ¦ \boxed{x \in (0, 1)}
      k \in \{1, 2\} ¦ \boxed{k = 1, 2}
      m > 3 ¦ \boxed{m \in (3, \infty)}
    `),
    unpaid: pairs(String.raw`
      x \in [1, 2] ¦ \boxed{1 \le t \le 2}
      k \in \{1, 2\} ¦ \boxed{n = 1, 2}
      x = 5 ¦ \boxed{y = 5}
    `),
  },
  "round: decimals with dots": {
    paid: pairs(String.raw`
      \frac13 ¦ The answer is 0.333...
      \frac23 ¦ $0.666\ldots$
      5 ¦ \boxed{5...}
      \frac{1}{11} ¦ \boxed{0.0909...}
    `),
    unpaid: pairs(String.raw`
      \frac13 ¦ \boxed{0.3...}
      0.33 ¦ \boxed{0.333...}
      \sqrt2 ¦ \boxed{1.4142...}
      1.4 ¦ \boxed{1.4142...}
    `),
  },
  "round: boxes in formulas": {
    paid: pairs(String.raw`
      5 ¦ $\text{Area} = \boxed{5} \text{ cm}^2$ ¦ $$\begin{aligned} x &= 2+3 \\ &= \boxed{5} \end{aligned}$$
      5 ¦ $\therefore \boxed{5}$ ¦ $\color{red}{\boxed{5}}$ ¦ $\large\boxed{5}$
      5 ¦ $\displaystyle \boxed{5}$ ¦ $\textbf{Answer: } \boxed{5}$ ¦ $\text{Final answer: }\boxed{5}\text{.}$
      5 ¦ $m+n=\boxed{5}$ ¦ $\left(\boxed{5}\right)$ ¦ $\boxed{5}\,\mathrm{cm}$ ¦ $\boxed{5}\ \text{units}$
      5 ¦ $\boxed{5}$ cm ¦ $\boxed{5}\text{ (E)}$ ¦ $\text{(E)}\ \boxed{5}$
      5 ¦ $\boxed{5}\qquad \blacksquare$ ¦ $\boxed{5} \tag{1}$ ¦ $\boxed{5}\ \checkmark$
      5 ¦ \[ \boxed{5}. \] ¦ So the answer is: \( \boxed{5} \)
      5 ¦ **Final Answer**: $\boxed{5}$ ✅
      5 ¦ Answer: \boxed{5} [1] ¦ $x = \boxed{5} \approx 5.0$
      5 ¦ $\$\boxed{5}$
      5 ¦ It costs $\boxed{5}$ dollars.
      5 ¦ $S=\boxed{5}\text{ square units}$
      5 ¦ $$x = \boxed{5}, \quad y = 7$$
      \frac12 ¦ $P(A) = \boxed{\frac12}$
      (1,2) ¦ $x \in \boxed{(1,2)}$
      9 ¦ $129^{34} \equiv \boxed{9} \pmod{11}$ ¦ $x \equiv \boxed{9} \mod 11$
      2, 3 ¦ $x = \boxed{2}$ or $x = \boxed{3}$ ¦ $\boxed{2}, \boxed{3}$
      (2, 3) ¦ $(x, y) = \boxed{(2, 3)}$ ¦ $(\boxed{2}, \boxed{3})$
      30^\circ ¦ $\angle ABC = \boxed{30^\circ}$
      50\% ¦ $\boxed{50}\%$
      \frac{1}{3} ¦ $\boxed{\frac13} \approx 0.333$
      \sqrt{2} ¦ $x \approx 1.41 \Rightarrow \boxed{\sqrt2}$
      12 ¦ $\frac{1}{2}\cdot 6\cdot 4=\boxed{12}$
      x^2 ¦ $f(x)=\boxed{x^2}$
    `),
    unpaid: pairs(String.raw`
      5 ¦ $y = \boxed{5} x$ ¦ $y = \boxed{5}x + 3$ ¦ $\int_0^{\boxed{5}} x\,dx$ ¦ $\sum_{k=1}^{\boxed{5}} k$
      5 ¦ $\boxed{5} \times 10^3$ ¦ $\boxed{5}e^{x}$ ¦ $e^{\boxed{5}}$ ¦ $\boxed{5} \text{ dozen}$
      5 ¦ $\text{not } \boxed{5}$ ¦ $\boxed{5} \text{ or more}$ ¦ $\boxed{5} \pm 1$ ¦ $\boxed{5} \cup \{6\}$
      3 ¦ $y = 5x + \boxed{3}$
      5 \text{ m} ¦ $\boxed{5}\text{ cm}$ ¦ $\boxed{5}\,\mathrm{km}$
    `),
  },
  "round: a choice's letter before its value": {
    paid: pairs(String.raw`
      5 ¦ Answer: $\textbf{(A)}\ \boxed{5}$
      \frac12 ¦ The answer is $\textbf{(A)}\ \frac{1}{2}$. ¦ The answer is $\textbf{(A)}\ \boxed{\frac{1}{2}}$.
      \frac12 ¦ The answer is $\boxed{\textbf{(A)}\ \frac{1}{2}}$. ¦ The answer is $\boxed{\text{(A) }{\frac{1}{2}}}$.
      12 ¦ The answer is $\textbf{(C) 12}$.
    `),
    unpaid: pairs(String.raw`
      6 ¦ The answer is $\textbf{(A)}\ \boxed{5}$.
      5 ¦ The answer is $\textbf{(A)}\ \boxed{5}\pi$.
      \frac12 ¦ The answer is $\textbf{(A)}\ \frac{1}{3}$.
    `),
  },
  "round: words that touch a box": {
    paid: pairs(String.raw`
      5 ¦ $答案是\boxed{5}$
    `),
    unpaid: pairs(String.raw`
      5 ¦ x\boxed{5} ¦ sin\boxed{5} ¦ \alpha\boxed{5} ¦ the value of π\boxed{5} ¦ \boxed{5}π ¦ 答案不是\boxed{5}
      5 ¦ x<\boxed{5} ¦ x > \boxed{5} ¦ (x+1)\boxed{5} ¦ \boxed{5}(x+1) ¦ \boxed{5}+x
      5 ¦ \boxed{5}*x
    `),
  },
};
