// Gold answers in words, which part of a response is the answer, thinking, scripts without braces, hedges and residues.
import { each, type Pairs, pairs } from "./pairs.ts";

export const table: Readonly<Record<string, Pairs>> = {
  "gold answers with words": {
    paid: pairs(String.raw`
      2;$\frac{3}{4}$ ¦ \boxed{2, \frac34}
      $2$ and $\frac{3}{4}$ ¦ \frac{3}{4}, 2
      2 and -3 ¦ -3, 2
      $x=2$, $y=3$ ¦ x=2, y=3
      (a) $2$ (b) $3$ ¦ (a) $2$ (b) $3$
      The limit is $5$ ¦ 5
      The area is $12\pi$ ¦ 12\pi
      $12\pi$ square units ¦ 12\pi
      The function is increasing on $(0,1)$ ¦ The function is increasing on $(0,1)$
      concave up on $(0, 1)$ ¦ concave up on $(0,1)$
      $f$ is even ¦ $f$ is even
      $x = 3$ is a vertical asymptote ¦ $x=3$ is a vertical asymptote
      Yes ¦ yes
      no such $n$ exists ¦ no such $n$ exists
      Center $(1,2)$, radius $3$ ¦ Center $(1,2)$, radius $3$
      Center: $(1, 2)$; radius: $3$ ¦ center $(1,2)$, radius $3$
      maximum: $5$; minimum: $-1$ ¦ Maximum $5$, minimum $-1$
      $3$ hours ¦ 3 hours
      approximately $3.14$ ¦ 3.14
      about 25 ¦ 25
    `),
    unpaid: pairs(String.raw`
      2;$\frac{3}{4}$ ¦ \frac{3}{4} ¦ 2 ¦ 2, \frac{4}{3} ¦ 3, \frac{3}{4}
      $2$;3 ¦ 3
      $2$ and $\frac{3}{4}$ ¦ \frac34
      (a) $2$ (b) $3$ ¦ 3 ¦ (a) $3$ (b) $2$
      (1) $2$; (2) $3$ ¦ (1) $2$; (2) $4$ ¦ 3
      (1) 2 (2) 3 ¦ 2
      (i) 2, (ii) 3 ¦ (i) 3, (ii) 2
      a) 2 b) 3 ¦ 3
      a) $x>2$ b) $x<5$ ¦ x<5
      Part 1: $2$. Part 2: $3$ ¦ 3 ¦ Part 1: $3$. Part 2: $2$
      The limit is $5$ ¦ 6
      The limit is not $5$ ¦ 5
      The limit does not exist ¦ The limit exists ¦ 0
      The limit is $5$ from the left and $6$ from the right ¦ 6
      concave up on $(0, 1)$ ¦ concave down on $(0, 1)$ ¦ concave up on $(0, 2)$ ¦ concave up on $(1, 0)$
      concave up on $(0, 1)$ ¦ not concave up on $(0, 1)$ ¦ (0, 1), concave down
      concave up on $(0, 1)$, concave down on $(1, 2)$ ¦ concave down on $(0, 1)$, concave up on $(1, 2)$ ¦ (1, 2)
      concave up on $(0, 1)$, concave down on $(1, 2)$ ¦ concave up on $(0, 1)$
      increasing for $x>3$ ¦ x>3 decreasing ¦ decreasing for $x>3$ ¦ increasing for $x<3$
      $f$ is even ¦ $f$ is odd ¦ $g$ is even ¦ $f$ is not even ¦ f
      $x = 3$ is a vertical asymptote ¦ $x = 3$ is a horizontal asymptote ¦ $x = 4$ is a vertical asymptote
      $x=3$ is not a solution ¦ 3 ¦ $x=3$ is a solution
      vertical asymptote $x=3$, horizontal asymptote $y=2$ ¦ vertical asymptote $x=2$, horizontal asymptote $y=3$ ¦ y=2
      Yes, $k=3$ ¦ Yes, $k=4$ ¦ k = 4
      No, because $3 \ne 4$ ¦ 4 ¦ Yes, because $3 \ne 4$
      no such $n$ exists ¦ n ¦ such $n$ exists
      Center $(1,2)$, radius $3$ ¦ Center $(2,1)$, radius $3$ ¦ (1,2)
      Center: $(1, 2)$; radius: $3$ ¦ radius $3$
      vertex $(1,2)$, opens up ¦ vertex $(1,2)$, opens down ¦ vertex $(2,1)$, opens up
      maximum: $5$; minimum: $-1$ ¦ maximum: $-1$; minimum: $5$ ¦ 5
      maximum 5, minimum 1 ¦ minimum 5, maximum 1
      max 5 at x=1 ¦ max 5 at x=2 ¦ 1
      local max at $x=1$, local min at $x=3$ ¦ 1, 3
      saddle point at $(0,0)$ ¦ saddle point at $(0,1)$
      domain: all real numbers except $2$ ¦ 2 ¦ all real numbers
      all $x$ with $x>2$ ¦ x<2
      converges to $\frac12$ ¦ diverges ¦ converges to $\frac13$
      converges for $|x|<1$ ¦ diverges for $|x|<1$ ¦ converges for $|x|<2$
      converges for $p>1$ ¦ converges for $p \ge 1$
      diverges for $p \le 1$ ¦ p \le 1 converges
      $3$ is a root of multiplicity $2$ ¦ $2$ is a root of multiplicity $3$
      $3$ (multiplicity $2$), $5$ ¦ 3, 5, 5
      $3$ (double root) ¦ $3$ (triple root)
      $2$ real and $1$ complex ¦ $1$ real and $2$ complex
      $2$ real roots ¦ $2$ complex roots
      2 positive, 1 negative ¦ 1 positive, 2 negative
      slope: 2; y-intercept: (0, 3) ¦ slope: 2; y-intercept: (0, 4)
      amplitude $2$, period $\pi$ ¦ amplitude $\pi$, period $2$ ¦ \pi
      quotient $x+1$, remainder $3$ ¦ quotient $x+1$, remainder $4$ ¦ x+1
      reject $H_0$ ¦ do not reject $H_0$ ¦ H_0
      fail to reject $H_0$ ¦ reject $H_0$
      $p$ is false, $q$ is true ¦ $p$ is true, $q$ is false
      $A$ is the inverse of $B$ ¦ $B$ is the transpose of $A$
      $A$ is invertible ¦ $A$ is not invertible
      $W$ is a subspace ¦ $W$ is not a subspace
      $u$ and $v$ are orthogonal ¦ $u$ and $v$ are parallel
      the line $y = 2x$ ¦ the line $y = 3x$ ¦ the ray $y = 2x$
      the plane $x+y+z=1$ ¦ the plane $x+y+z=2$
      the points $(1,2)$ and $(3,4)$ ¦ the points $(1,2)$ and $(3,5)$
      $3$ units left ¦ $3$ units right
      $3$ units up ¦ $3$ units down
      $3$ units left and $2$ up ¦ $2$ units left and $3$ up
      reflect over the $x$-axis ¦ reflect over the $y$-axis
      in quadrant 2 ¦ in quadrant 3
      Quadrant II ¦ Quadrant III
      Theorem 3 ¦ Theorem 4
      $2$ to the power of $10$ ¦ 10
      $2$ out of $5$ ¦ 5
      $\frac13$ of $12$ ¦ 12
      half of $\pi$ ¦ \pi
      the square root of $5$ ¦ 5
      minus $5$ ¦ 5
      $5$ below zero ¦ 5
      $5$ more than $x$ ¦ x
      $5$ times $x$ ¦ x
      the sum of $x$ and $5$ ¦ x
      undefined ¦ defined
      does not exist ¦ exists
      indeterminate ¦ determinate
      $n$ must be prime ¦ n
      if $n$ is even, $2$; if $n$ is odd, $3$ ¦ if $n$ is odd, $2$; if $n$ is even, $3$
      $a>0$时，$x>1$；$a<0$时，$x<1$ ¦ $a>0$时，$x<1$；$a<0$时，$x>1$
      最大值为$5$，最小值为$1$ ¦ 最大值为$1$，最小值为$5$ ¦ 1
      最大值$5$，无最小值 ¦ 5
      (1)$2$；(2)$3$ ¦ 3 ¦ (1)$3$；(2)$2$
      第$3$项 ¦ 第$4$项
    `),
  },
  "which part is the answer, in English": {
    paid: pairs(String.raw`
      12 ¦ We get $x = 5$.⏎⏎**Final answer:** $12$
      12 ¦ So $\boxed{11}$. Let me recheck... Indeed it should be $\boxed{12}$.
      12 ¦ The final answer is $\boxed{12}$. I hope it is correct. ¦ Answer: 12⏎Explanation: 3 + 9 = 12, 2 + 2 = 4.
      12 ¦ The answer is 12 [1]. ¦ **12**
      12 ¦ # Answer⏎12 ¦ ## Final Answer⏎⏎$$\boxed{12}$$
      12 ¦ The required value is $12$. ¦ Therefore the value of $x$ is $12$. ¦ \[ \boxed{12} \] ¦ \fbox{12}
      12 ¦ \boxed{x = 12} ¦ \boxed{\text{The answer is } 12} ¦ \boxed{12} which equals 3 * 4.
      12 ¦ \boxed{12}⏎⏎Check: 5 + 7 = 12, and 100 / 2 = 50. ¦ <answer>12</answer>
      C ¦ The answer is C. ¦ Answer: (C) ¦ **C** ¦ C) because A is too small
      C ¦ The correct choice is **C**, as A and B are too small. ¦ \boxed{C} ¦ \boxed{\textbf{(C)}\ 24} ¦ Option C
      C ¦ The answer is (C) 24, and not (D) 25.
      x+1 ¦ Therefore, f(x) = x + 1.
      \frac{3}{7} ¦ So the probability is $\dfrac{3}{7}$, i.e. about $0.4286$. ¦ The answer is 3/7 ≈ 0.4286.
      \frac{3}{7} ¦ The final answer is $\frac{3}{7} \approx 43\%$.
    `),
    unpaid: pairs(String.raw`
      11 ¦ So $\boxed{11}$. Let me recheck... Indeed it should be $\boxed{12}$.
      11 ¦ first <answer>11</answer>, corrected: <answer>12</answer>
      5 ¦ We get $x = 5$.⏎⏎**Final answer:** $12$
      4 ¦ Answer: 12⏎Explanation: 3 + 9 = 12, 2 + 2 = 4. ¦ \boxed{12} which equals 3 * 4.
      50 ¦ \boxed{12}⏎⏎Check: 5 + 7 = 12, and 100 / 2 = 50.
      12 ¦ \boxed{12}. No, wait: \boxed{13} ¦ \boxed{12} is not right. The answer is 13. ¦ The answer is not 12.
      12 ¦ The answer cannot be 12. ¦ The answer is definitely not $12$.
      12 ¦ The answer was 12 but I made a mistake; it is 13.
      12 ¦ The answer would be 12 if x were positive, but it is 13. ¦ Is the answer 12? ¦ The answer is 12? No.
      12 ¦ The wrong answer is 12.
      12 ¦ The incorrect answer is 12. ¦ An incorrect answer: 12
      12 ¦ The answer is 12 or 13. ¦ The answer is either 12 or 13. ¦ The answer is 12 and 13. ¦ The answer is 12/13.
      12 ¦ The answer is 12 + 1. ¦ The answer is 12 × 2. ¦ The answer is 12x. ¦ The answer is 12%.
      12 ¦ The answer is $12$ $x$. ¦ The answer is $12$ + $1$. ¦ The answer is $12$, $13$.
      12 ¦ The answer is $12$ to $13$.
      12 ¦ The answer is $13$ - $1$... $12$? I do not know. ¦ The answer is between $12$ and $13$.
      12 ¦ The answer is more than $12$. ¦ The answer is one of 12, 13, 14. ¦ Possible answers: 12, 13.
      12 ¦ \boxed{12} or \boxed{13} ¦ \boxed{12 \text{ or } 13}
      12 ¦ \boxed{12,13} ¦ \boxed{12?} ¦ \boxed{12 ¦ \boxed{}
      12 ¦ $12$ but then \boxed{\ldots} ¦ 12 \boxed{\text{unknown}} ¦ 12. The final answer is unknown.
      12 ¦ 12. I don't know the answer. ¦ <answer></answer>12
      12 ¦ <answer>12 or 13</answer> ¦ <answer>12, 13</answer> ¦ <answer>not 12</answer>
      12 ¦ <answer>I think 12 but it may be 13</answer> ¦ #### 13⏎#### 12 is wrong
      12 ¦ #### 12⏎#### 13 ¦ Answer: 12 apples and 13 pears
      12 ¦ The answer is thirteen; 12 is the index. ¦ The answer is $x$ where $x = 13$; 12 was the first guess.
      12 ¦ The answer is in line 12. ¦ The answer is on page 12.
      12 ¦ The answer is given by formula 12. ¦ The answer is the root of x^2 = 12. ¦ The answer depends on 12.
      12 ¦ The answer is a number less than 12. ¦ The answer is divisible by 12. ¦ The answer is a multiple of 12.
      12 ¦ The answer has 12 digits. ¦ The answer is a 12-digit number. ¦ The answer is the 12th prime.
      12 ¦ The answer is x = 12y. ¦ The answer is 1 2. ¦ The answer is 012 in base 3.
      12 ¦ The answer is -12. ¦ The answer is − 12. ¦ The answer is –12.
      12 ¦ The answer is (−12). ¦ The answer is |−12| − 1. ¦ The answer is 12!. ¦ The answer is 12²
      12 ¦ The answer is √12 ¦ The answer is ½ · 12 ¦ The answer is 12½ ¦ The answer is .12
      12 ¦ The answer is 12,5 ¦ The answer is 12,000 ¦ The answer is 12e3
      12 ¦ The answer is 12 * 10^3 ¦ The answer is 12i ¦ The answer is 12π ¦ The answer is 12√2 ¦ The answer is 12:13
      12 ¦ The answer is (12, 13). ¦ The answer is {12, 13}. ¦ The answer is [12, 13]. ¦ The answer is > 12.
      12 ¦ The answer is ≥ 12. ¦ The answer is ≠ 12. ¦ The answer is ±12. ¦ The answer is +/- 12. ¦ The answer is a_12.
      12 ¦ The answer is x_{12}. ¦ The answer is C12. ¦ The answer is log 12. ¦ The answer is f(12).
      12 ¦ The answer is sin(12).
      C ¦ The answer is D. ¦ The answer is not C. ¦ The answer is C or D. ¦ The answer is either C or D.
      C ¦ The answer is both C and D. ¦ The answer is D, not C. ¦ Not C but D.
      C ¦ C is incorrect, so D. ¦ We can rule out C. ¦ All but C. ¦ Everything except C ¦ A, B, C ¦ \boxed{A, C}
      C ¦ \boxed{AC} ¦ \boxed{A \text{ and } C} ¦ \boxed{C \text{ or } D} ¦ \boxed{\text{not } C} ¦ \boxed{\text{none}}
      C ¦ \boxed{D}. C would be the trap. ¦ C? No: D. ¦ The answer is between C and D.
      C ¦ The correct options are A and C. ¦ Answer: A/C
      C ¦ Answer: C, D ¦ option C is false ¦ Option C is incorrect. ¦ C cannot be true.
      C ¦ Neither A nor C. ¦ The correct answer is anything but C. ¦ <answer>A or C</answer> ¦ <answer>D</answer> C
    `),
  },
  "which part is the answer, in Chinese": {
    paid: pairs(String.raw`
      12 ¦ 答案是12 ¦ 故答案为12． ¦ 【答案】12
      12 ¦ 因此，$x=12$。 ¦ 综上，$x = 12$。 ¦ 答：一共有12个。 ¦ 所以最大值为12。
      12 ¦ <think>先算11</think>答案是12
      -12 ¦ 答案是负12
      30000 ¦ 答案是3万
      \frac{2}{3} ¦ 答案是三分之二
      C ¦ 故选：C． ¦ 选C ¦ 【答案】C
      AC ¦ 故选AC
      (1,2) ¦ 答案是$(1,2)$
      x>2 ¦ 答案是$x>2$
      (2,+\infty) ¦ 取值范围是$(2,+\infty)$
    `),
    unpaid: [
      ...each(
        `负12
        不是12
        大于12
        小于12
        至少12
        至多12
        不超过12
        不小于12
        超过12
        12以上
        12以下
        12以内
        12万
        12亿
        12百
        12千
        12或13
        12和13
        12、13
        12至13
        12到13
        12倍
        12的平方
        12的立方
        12的平方根
        12的倒数
        12的相反数
        12的一半
        12分之1
        12的倍数
        12的约数
        根号12
        根号下12
        正负12
        12次方
        2的12次方
        12%
        百分之12
        千分之12
        12折
        零点12
        12点5
        12又二分之一
        第12
        12阶乘
        12除以5
        12加1
        12减1
        12乘2
        除12外的所有数
        除了12
        12除外
        能被12整除
        12到20之间
        接近12但不等于12`,
        "12",
        ["答案是@。", "@", "\\boxed{\\text{@}}"],
      ),
      ...pairs(String.raw`
        12 ¦ 答案不是12，是13。 ¦ 答案是13，不是12。 ¦ 答案是13而非12。 ¦ 先得12。不对，应该是13。
        12 ¦ 错误答案：12 ¦ 答案不可能是12 ¦ 答案是12吗？不，是13。 ¦ 答案大概在12和13之间
        C ¦ 不选C ¦ 选C或D ¦ 选A，不选C ¦ C错误 ¦ 除C外都对 ¦ 故选AC ¦ 故选A、C ¦ 答案是A和C ¦ 答案不是C
        AC ¦ 故选A
      `),
    ],
  },
  "thinking that never ended": {
    paid: pairs(String.raw`
      42 ¦ <think>first 41</think>42 ¦ <think>first 41</think>⏎⏎\boxed{42} ¦ first 41</think>The answer is 42
      42 ¦ <reasoning>41 <answer>42</answer>
      42 ¦ <think>⏎</think>⏎⏎**Answer:** 42
    `),
    unpaid: [
      ...pairs(String.raw`
      42 ¦ \boxed{42}</think> ¦ \boxed{42}</think>41 ¦ \boxed{42}</think> no idea
      42 ¦ ◁think▷\boxed{42}◁/think▷ ¦ <|begin_of_thought|>\boxed{42}
      42 ¦ <|begin_of_thought|>\boxed{42}<|end_of_thought|>41
    `),
      ...["think", "thinking", "reasoning", "THINK", "thought"].flatMap((name): [string, string][] => [
        ["42", `<${name}>\\boxed{42}`],
        ["42", `<${name}>The answer is 42.`],
        ["42", `<${name}>so 42`],
        ["42", `<${name}>\\boxed{42}</${name}>`],
        ["42", `<${name}>\\boxed{42}</${name}>\n`],
        ["42", `<${name}>\\boxed{42}</${name}> I do not know.`],
        ["42", `<${name}>\\boxed{42}</${name}>\\boxed{41}`],
        ["42", `<${name}>41</${name}><${name}>\\boxed{42}`],
        ["42", `<${name}>\\boxed{42}</${name}> The answer is 41.`],
        ["42", `<${name}><answer>42</answer></${name}>`],
        ["42", `<${name}><answer>42</answer></${name}>41`],
        ["42", `<${name}><answer>42</answer></${name}><answer>41</answer>`],
        ["42", `<${name}>$$x=42$$ #### 42 </${name}>`],
        ["42", `<${name}>Final answer: 42</${name}>\n\n`],
        ["42", `<${name}>答案是42`],
        ["42", `<${name}>答案是42</${name}>`],
        ["42", `<${name}>答案是42</${name}>答案是41`],
        ["42", `<${name}>a</${name}>b<${name}>\\boxed{42}</${name}>`],
        ["42", `<${name}>\\boxed{42}</${name}>\\boxed{}`],
        ["42", `<${name}>\\boxed{42}</${name}>\\boxed{4`],
        ["42", `<${name}>\\boxed{42}</${name}><answer></answer>`],
        ["42", `<${name}>\\boxed{42}</${name}><answer>4`],
        ["C", `<${name}>The answer is C`],
        ["C", `<${name}>The answer is C</${name}>`],
        ["C", `<${name}>故选C</${name}>`],
        ["C", `<${name}>故选C</${name}>故选D`],
        ["C", `<${name}>C</${name}>The answer is D`],
        ["x^2", `<${name}>$x^2$</${name}>`],
        ["x^2", `<${name}>$x^2$`],
        ["x^2", `<${name}>$x^2$</${name}>$x^3$`],
      ]),
    ],
  },
  "scripts without braces": {
    paid: pairs(String.raw`
      1024 ¦ 2^10
      x^{10} ¦ x^10 ¦ $x^10$
      x^{12} ¦ \boxed{x^12}
      3 \times 10^{10} ¦ 3 \times 10^10
      10^{-10} ¦ 10^-10
      2^{0.5} ¦ 2^0.5
      \sqrt{2} ¦ 2^0.5 ¦ \sqrt2
      a_{10} ¦ a_10
      a_{12} = 5 ¦ a_12 = 5
      x^23 ¦ x^23
      \log_{10} 5 ¦ \log_10 5
      2^3 \cdot 5 ¦ 2^3 5
      x^2y ¦ x^2 y
      \frac{1}{2} ¦ \frac12
      \frac{1}{2} ¦ \int_0^1 x\,dx = \frac12
      \int_{0}^{11} e^{x^2}dx ¦ \int_{0}^{11} e^{x^2}dx
      e^{-x} ¦ e^-x
    `),
    unpaid: pairs(String.raw`
      \int_0^1 e^{x^2}dx ¦ \int_0^11 e^{x^2}dx
      \sum_{k=1}^n a_k ¦ \sum_{k=1}^n1 a_k^2
      \sum_{k=1}^{1} k ¦ \sum_{k=1}^11 k
      x^1 ¦ x^11
      x ¦ x^11 ¦ x^1 0
      0 ¦ x^10 ¦ 2^10 ¦ \sqrt20 ¦ \log_10 5 ¦ a_10
      20 ¦ 2^10
      12 ¦ $2^23$
      3x^2 ¦ $x^23$ ¦ x^23
      x^2 \cdot 5 ¦ x^25
      \sqrt{1} \cdot 2 ¦ \sqrt12
      3\sqrt{2} ¦ \sqrt23
      10 ¦ \sqrt45
      3 ¦ \log_28 1
      x_1 \cdot 2 ¦ x_12
      2x_1 ¦ x_12
      a_1 = 5 ¦ a_11 = 5
      a_1 ¦ a_10
      \lim_{n\to\infty} a_1 ¦ \lim_{n\to\infty} a_11
      e^{2} + 1 ¦ e^21 + 1
      \sqrt[3]{2} ¦ \sqrt[3]21
      14 ¦ \sqrt[3]87
      \binom{5}{2} ¦ \binom52 1 + 1
      1.5 \times 10^2 ¦ 1.5 \times 10^21
      1.5 \times 10^1 ¦ 1.5 \times 10^10
      x^{-1} ¦ x^-11
      10^{-1} ¦ 10^-10
      (x+1)^1 ¦ (x+1)^11
      \sin^2 x ¦ \sin^21 x
      f^2(x) ¦ f^21(x)
      x^2+1 ¦ x^21+1
    `),
  },
  "hedges and residues": {
    paid: pairs(String.raw`
      n \equiv 3 \pmod 7 ¦ n \equiv 3 \pmod{7} ¦ 3 \pmod 7 ¦ n ≡ 3 (mod 7) ¦ n \equiv 10 \pmod 7 ¦ n \equiv -4 \pmod 7
      n ≡ 3 mod 7 ¦ n \equiv 3 \pmod{7}
      3 ¦ 17 \equiv 3 \pmod 7
    `),
    unpaid: [
      ...each(
        `The answer might be @
        The answer may be @
        The answer could be @
        The answer can be @
        The answer is probably @
        The answer is possibly @
        The answer is perhaps @
        The answer is maybe @
        The answer is likely @
        The answer is most likely @
        Perhaps the answer is @
        Maybe the answer is @
        Possibly the answer is @
        Probably the answer is @
        Maybe @
        Perhaps @
        Possibly @
        My guess is @
        I guess the answer is @
        I would guess @
        A guess: @
        Not sure, but the answer may be @
        I am not sure that the answer is @
        I'm not sure the answer is @
        I doubt that the answer is @
        It is unclear whether the answer is @
        The answer would be @ if the problem were different
        Suppose the answer is @
        Let's assume the answer is @
        If the answer is @, then we are done
        Unless the answer is @
        Is the answer @?
        Could the answer be @?
        The answer seems to be @? Hard to say
        The answer is @ or something else
        The answer is @ or so
        The answer is @, or maybe 43
        The answer is @ or 43
        The answer is @ (or 43)
        The answer is @/43
        The answer is @ if n is odd, otherwise 43
        The answer is @ unless n is even
        Either @ or 43
        Both @ and 43 work
        The answer is somewhere near @
        The answer is close to @
        The answer is around the number @, not sure
        答案可能是@
        答案也许是@
        答案或许是@
        答案大概是@
        大概是@吧
        可能是@
        我猜是@
        我猜答案是@
        不确定，答案可能是@
        假设答案是@
        如果答案是@，则矛盾
        答案是@吗？`,
        "@",
        ["@."],
      ).map(([, response]): [string, string] => ["42", response.replaceAll("@", "42")]),
      ...each(
        `The answer might be @
        The answer is probably @
        Perhaps the answer is @
        Maybe the answer is @
        I guess the answer is @
        The answer could be @
        答案可能是@`,
        "@",
        ["@."],
      ).flatMap(([, response]): [string, string][] => [
        ["C", response.replaceAll("@", "C")],
        ["\\frac12", response.replaceAll("@", "$\\frac12$")],
      ]),
      ...pairs(String.raw`
        n \equiv 3 \pmod 7 ¦ 3 ¦ n = 3 ¦ 7 ¦ -4 ¦ n \equiv 4 \pmod 7 ¦ n \equiv 3 \pmod 8
        n \equiv 3 \pmod 7 ¦ m \equiv 3 \pmod 7 ¦ n \not\equiv 3 \pmod 7 ¦ n^2 \equiv 3 \pmod 7 ¦ 2n \equiv 3 \pmod 7
        n \equiv 3 \pmod 7 ¦ -n \equiv 3 \pmod 7 ¦ n \equiv 3 \pmod {14} ¦ n \equiv 3, 4 \pmod 7
        n \equiv 3 \pmod 7 ¦ n \equiv \pm 3 \pmod 7
        n \equiv \pm 3 \pmod 7 ¦ n \equiv 3 \pmod 7
        n \equiv 1, 3 \pmod 7 ¦ n \equiv 1 \pmod 7 ¦ n \equiv 1, 4 \pmod 7 ¦ 1, 3
        n ≡ 3 mod 7 ¦ 3
        n ≡ 3 (mod 7) ¦ \boxed{3}
        $n \equiv 3 \pmod{7}$ ¦ The answer is 3.
        x \equiv 3 \bmod 7 ¦ 3
        3 \pmod 7 ¦ 3 ¦ 3 \pmod 8
        3 \bmod 7 ¦ 4 \bmod 7
        n = 7k + 3 ¦ 3 ¦ n = 7k - 3 ¦ n = 3
        n = 7k+3, k \in \mathbb{Z} ¦ 3
        7k+3 ¦ 3 ¦ 3k+7
        n \equiv 0 \pmod 4 ¦ 4
        4 \mid n ¦ 4 ¦ n \mid 4 ¦ n = 4
        n is a multiple of 4 ¦ 4
        n divisible by 4 ¦ n divisible by 8
        all n with n \equiv 1 \pmod 2 ¦ 1
      `),
    ],
  },
  "sentences that nothing announces": {
    paid: pairs(String.raw`
      7 ¦ Hence there are 7 such integers. ¦ This gives us a final total of 7.
      7 ¦ Thus 7 is the answer.
      7 ¦ Answer: x = 7
      \frac{1}{2} ¦ The probability is therefore \(\frac{1}{2}\). ¦ So the probability is one half.
      \frac{1}{2} ¦ The answer is $\frac{2}{4} = \frac{1}{2}$.
      (3, 4) ¦ The solution is x = 3 and y = 4. ¦ The point is $(3,4)$. ¦ The coordinates are (3, 4).
      x > 5 ¦ The inequality holds when $x > 5$. ¦ So the solution set is $x>5$.
      (-\infty, 5) ¦ f is decreasing on $(-\infty, 5)$.
      \{1, 2\} ¦ The solutions are 1 and 2. ¦ $x=1$ or $x=2$
      2, 3 ¦ The roots are $x = 2$ and $x = 3$.
      \pm 3 ¦ The answer is $\pm 3$.
      12 \text{ cm} ¦ The length is 12 cm. ¦ The answer is 12 centimeters.
      \$18 ¦ He paid $18 in total. ¦ The cost is \$18.
      18 ¦ Janet makes $18 every day at the market.
      25\% ¦ The increase is 25%.
      x^2+1 ¦ The polynomial is $x^2+1$. ¦ f(x) = x^2 + 1
      2\sqrt{5} ¦ The distance is $2\sqrt{5}$ units. ¦ Distance: 2√5
      \text{Tuesday} ¦ The day is Tuesday.
      B ¦ The correct answer is (B) 12. ¦ Thus, the answer is $\boxed{\textbf{(B) } 12}$.
      B ¦ B is the correct choice since A is negative.
      \frac{3}{4} ¦ 概率为$\frac{3}{4}$。
      5 ¦ a = 5
      n^2 ¦ for n terms, the sum is n^2
      0 ¦ The limit is zero.
      -4 ¦ The minimum value is -4, attained at x = 2. ¦ The minimum value is $-4$ (at $x=2$).
      1.5 ¦ 1.5 (in units of a)
      2^{10} ¦ \boxed{2^{10} = 1024}
    `),
    unpaid: pairs(String.raw`
      7 ¦ The number is slightly less than 7. ¦ The value lies within 7 of the mean.
      7 ¦ The ratio is 7 to 3. ¦ The score was 7 to nil. ¦ We need 7 more than that.
      7 ¦ The expression is 7 times the original. ¦ He is 7 years older than Tom.
      7 ¦ The result is a fraction with denominator 7. ¦ It is the 7th prime.
      7 ¦ The answer is the number whose square is 7. ¦ The answer is such that its square root is 7.
      7 ¦ The answer is twice as large as 7. ¦ It ends in 7. ¦ The last digit is 7, and the number itself is 17.
      7 ¦ The answer starts with 7. ¦ the answer is 7 more ¦ the answer is 7 less ¦ The answer is 7 squared.
      7 ¦ The answer is 7 modulo 10. ¦ The answer isn't 7 ¦ The answer is anything except 7. ¦ No, 7 is wrong.
      7 ¦ I would say 7, but that's a guess. ¦ 7, maybe? ¦ 7 or 8? ¦ Hmm, 7? ¦ The answer is 7 hundred.
      7 ¦ The answer is 7 and 1/2. ¦ The answer is 7 1/2. ¦ The answer is 7-ish.
      7 ¦ The answer is 7 x 10. ¦ The answer is 7th. ¦ The answer is minus seven. ¦ The answer is seven and a half.
      7 ¦ The answer is seven tenths. ¦ The answer is seventy. ¦ The answer is seven hundred.
      7 ¦ \boxed{7 \text{ if } n \text{ is odd}} ¦ \boxed{\text{not } 7}
      7 ¦ \boxed{7 \pm 1} ¦ \boxed{7 \text{ to } 9} ¦ \boxed{7^\text{th}} ¦ \boxed{7n}
      7 ¦ \boxed{7 \cdot k, k\in\mathbb{Z}} ¦ \boxed{n=7k} ¦ \boxed{\approx -7} ¦ \boxed{7\text{ remainder }1}
      7 ¦ \boxed{07.5} ¦ \boxed{\overline{7}} ¦ \boxed{7_8}... hmm ¦ It is impossible to tell; 7 was my first try.
      7 ¦ I can't decide between 6 and 7. ¦ The answer is whichever is larger, 6 or 7. ¦ The answer is 14/2 + 1
      7 ¦ The answer is 7 + 7i ¦ 余数不是7。 ¦ 答案约在7附近 ¦ 7的相反数 ¦ 7倍 ¦ 第7个 ¦ 每7天一次 ¦ 大约不到7 ¦ 7或8 ¦ 可能是7
      15 ¦ \boxed{15_{16}}
      x > 5 ¦ It fails for $x > 5$. ¦ There is no solution for $x > 5$. ¦ The inequality does not hold for $x > 5$.
      x > 5 ¦ $x > 5$ is impossible ¦ Only if not $x > 5$. ¦ unless $x>5$
      (3, 4) ¦ The solution is x = 4 and y = 3. ¦ It is not $(3,4)$. ¦ The distance to (3, 4).
      (3, 4) ¦ the reflection of $(3,4)$
      \{1, 2\} ¦ The solutions are 1 and 3. ¦ The only solution is 1. ¦ The solutions are 1 and 2 and 3.
      12 \text{ cm} ¦ The length is 12 m. ¦ The answer is 12 inches. ¦ \boxed{12} m ¦ The area is 12 square cm.
      \$18 ¦ He paid 18 cents. ¦ He paid 18 euros.
      25\% ¦ The increase is 25.
      x^2+1 ¦ The polynomial divides $x^2+1$. ¦ a factor of $x^2+1$ ¦ the derivative of $x^2+1$ ¦ the roots of $x^2+1$
      x^2+1 ¦ It is not $x^2+1$. ¦ a multiple of $x^2+1$ ¦ the inverse of $x^2+1$ ¦ the square root of $x^2+1$
      x^2+1 ¦ twice $x^2+1$ ¦ minus $x^2+1$ ¦ less than $x^2+1$ ¦ O($x^2+1$)
      \text{Tuesday} ¦ The day after Tuesday. ¦ not Tuesday ¦ Tuesday or Wednesday
      \text{even} ¦ The function is not even. ¦ neither even nor odd ¦ The function is odd, not even.
      B ¦ Everyone picks B. It is C.
      B ¦ The answer is B if n > 3, else C. ¦ It could be B. ¦ Hmm, B? ¦ Between B and C I cannot decide.
      \frac{1}{2} ¦ The probability is less than 1/2. ¦ The odds are 1:2... i.e. 1/3 ¦ one and a half ¦ two and one half
      \frac{1}{2} ¦ $1\frac12$ ¦ half of them
      2^{10} ¦ 2^{10}-1 ¦ 2 * 10
      f(x)=x^2 ¦ f(x)=x^2 for x>0, 0 otherwise
      1000000 ¦ just under one million
    `),
  },
};
