// Families of answers that a grader gets wrong when it looks at how something is printed, drops what it does not know, or
// takes another part of the response for the answer. `notEqual` is different or undecided: never paid for. Every pair is our own.

import { pairs as pairsOf } from "./adversaries/pairs.ts";

export type Family = {
  readonly equal: readonly (readonly [gold: string, response: string])[];
  readonly notEqual: readonly (readonly [gold: string, response: string])[];
};

const digits = (seed: string, length: number): string => seed.repeat(Math.ceil(length / seed.length)).slice(0, length);

export const families: Readonly<Record<string, Family>> = {
  "values, not what is printed": {
    equal: [
      ...pairsOf(String.raw`
      6.5e-2 ¦ 0.065
      6.5e-12 ¦ 6.5 \times 10^{-12}
      1.5e-20 ¦ \frac{15}{10^{21}}
      0.000001234 ¦ 1.234 \times 10^{-6}
    `),
      [digits("7", 3000), digits("7", 3000)],
    ],
    notEqual: [
      ...pairsOf(String.raw`
      6.5e-2 ¦ 9.5e-2 ¦ \boxed{6.9e-2}
      1.25e-7 ¦ 1.75e-7
      f(6.5e-2) ¦ f(9.5e-2)
      x^{0.5e-3} ¦ x^{0.9e-3}
      1.0e-3 x ¦ 9.0e-3 x
      0.1234567890123456789012345678901234567890123456789012345678901234567 x ¦ 0.1234567890123456789012345678901234567890123456789012345678901234569 x
      2.887 \times 10^{-6} ¦ 2.886 \times 10^{-6}
      0.0000123 ¦ 0.0000124
      1.0000005 ¦ 1.0000009
      3.0001 \times 10^{-4} ¦ 3.0004 \times 10^{-4}
    `),
      [digits("7", 1300), `${digits("7", 1299)}8`],
      [digits("7", 4000), digits("78", 4000)],
      [`x+${digits("7", 1300)}`, `x+${digits("7", 1299)}8`],
      [`f(${digits("7", 1300)})`, `f(${digits("7", 1299)}8)`],
      [`${digits("3", 1500)}/7`, `${digits("3", 1499)}4/7`],
      [`x < ${digits("3", 1500)}`, `x < ${digits("3", 1499)}4`],
    ],
  },
  "unknown functions are unknowns": {
    equal: pairsOf(String.raw`
      f(1)=2, f(2)=5 ¦ f(2)=5, f(1)=2
      f(2)<f(1)<f(4) ¦ f(4)>f(1)>f(2)
      f(5) \le 3 ¦ 3 \ge f(5)
      f(1)+f(2)=3 ¦ f(2)+f(1)=3
      a_1=2, a_2=3 ¦ a_2=3, a_1=2
      2f(1) = 6 ¦ f(1) = 3
    `),
    notEqual: pairsOf(String.raw`
      f(1)=2, f(2)=5 ¦ f(1)=2, f(2)=6 ¦ f(1)=2 ¦ f(1)=2, f(3)=5
      f(2)<f(1)<f(4) ¦ f(1)<f(2)<f(4)
      f(2)<f(1) ¦ f(1)<f(2)
      f(5) \le 3 ¦ f(5) \le 4 ¦ f(6) \le 3 ¦ f(5) < 3
      1 < f(3) < 5 ¦ 1 < f(3) < 6
      f(1)+f(2)=3 ¦ f(1)+f(2)=4 ¦ f(1)-f(2)=3
      f(1) = f(2) ¦ f(1) = f(3)
      f(1) \ne f(2) ¦ f(1) \ne f(3)
      f(1) = f(2) = 3 ¦ f(1) = f(2) = 4
      f(-1) < f(2) < f(3) ¦ f(3) < f(-1) < f(2)
      a_1=2, a_2=3 ¦ a_1=3, a_2=2 ¦ a_1=2, a_2=4
      P(A)=\frac12, P(B)=\frac13 ¦ P(A)=\frac12, P(B)=\frac14 ¦ P(A)=\frac13, P(B)=\frac12
      a_1 < a_2 < a_3 ¦ a_2 < a_1 < a_3
      \begin{cases} f(1)=2 \\ f(2)=5 \end{cases} ¦ \begin{cases} f(1)=2 \\ f(2)=6 \end{cases}
      f(0) = 1 ¦ f(1) = 1
      f'(0) = 1 ¦ f(0) = 1
      f(2) ¦ f(3)
      f(2)+1 ¦ f(2)+2
    `),
  },
  "the last box is the answer": {
    equal: pairsOf(String.raw`
      12 ¦ first $t=7$, so \boxed{12 \mathrm{~min}} ¦ \boxed{12~\text{min}} ¦ \boxed{12\,\mathrm{min}}
      7 ¦ $\boxed{7\ \mathrm{cm}}$ ¦ $\boxed{7\ \mathrm{cm}^2}$
      3 ¦ $\boxed{3~\mathrm{m/s}}$
      45 ¦ \boxed{45 \mathrm{~km} / \mathrm{h}}
      2 ¦ \boxed{\lim_{x \to 0} \frac{2x}{x} = 2}
      (-\infty,0)\cup(1,\infty) ¦ \boxed{(-\infty,0)\bigcup(1,\infty)}
      63^\circ 45' ¦ \boxed{63^{\circ} 45^{\prime}}
      63.75^\circ ¦ 63°45′
      63^\circ 45' 30'' ¦ 63°45′30″
    `),
    notEqual: pairsOf(String.raw`
      7 ¦ $t=7$ and so the time is \boxed{12 \mathrm{~min}}
      7 ¦ so $7$ \boxed{\lim_{n\to\infty} a_n = \clubsuit} ¦ We have $x=7$ so the answer is \boxed{\foo{3} \bar}
      7 ¦ We have $x=7$. \boxed{]]3((}
      3 ¦ $x = 3$ \boxed{63^{\circ} 45^{\prime}}
      63 ¦ \boxed{63^{\circ} 45^{\prime}}
      5 ¦ $5$ then \boxed{\bigcup_{n} A_n} ¦ $5$ then \boxed{\int_0^1 f(x)\,dx}
      5 ¦ x = 5. Final answer: \boxed{\text{cannot be determined}} ¦ x = 5. Final answer: \boxed{\mathbf{?}}
      5 ¦ Since $5$ works, <answer>\frac{1}{</answer> ¦ Since $5$ works, <answer>??</answer>
      5 ¦ 5 works. The final answer is $\frac{1}{$.
    `),
  },
  "intervals and ordered pairs": {
    equal: pairsOf(String.raw`
      (3,2) ¦ (3, 2)
      (2,3) ¦ (2,3) ¦ 2<x<3
      [2,3) ¦ [2, 3)
      (-\infty, 3) ¦ x<3
      \emptyset ¦ \{\}
    `),
    notEqual: pairsOf(String.raw`
      (3,2) ¦ \emptyset ¦ [6,5) ¦ (5,4)
      \emptyset ¦ (3,2) ¦ [6,5)
      [6,5) ¦ (3,2)
      (3,3) ¦ \emptyset
      (5,1) ¦ \text{no solution} ¦ \{\}
      (3,2) \cup (5,4) ¦ \emptyset
      (0,1) \cup (3,2) ¦ (0,1)
      [3,2] ¦ [5,4]
      (2,3) ¦ [2,3]
      x \in (3,2) ¦ x \in (5,4)
    `),
  },
  "gold answers with text and formulas": {
    equal: pairsOf(String.raw`
      1;$\frac{8}{9}$ ¦ $1$ and $\frac89$ ¦ 1, 8/9
      $1$; $\frac{8}{9}$ ¦ $\frac{8}{9}, 1$
      $x = 3$ or $x = 5$ ¦ \boxed{3, 5}
      The answer is $5$ ¦ 5
      $5$ ¦ 5
      $5$ cm ¦ 5 cm
      $\frac{1}{2}$. ¦ 0.5
      all real numbers except $3$ ¦ x \ne 3
      all real numbers except 3 ¦ (-\infty,3)\cup(3,\infty)
      $-2$, $3$ and 4 ¦ -2, 3, 4
    `),
    notEqual: pairsOf(String.raw`
      1;$\frac{8}{9}$ ¦ \frac{8}{9} ¦ \boxed{1}
      2 and $3$ ¦ 3
      all real numbers except $3$ ¦ 3
      all real numbers except 3 ¦ 3
      all integers greater than $3$ ¦ 3
      at least $3$ ¦ 3
      any $x$ with $x > 3$ and $x \neq 5$ ¦ 5
      the smallest is 2, the largest is $5$ ¦ 5
      2 if $n$ is even, $3$ otherwise ¦ 3
      twice $3$ ¦ 3
      half of $3$ ¦ 3
      minus $3$ ¦ 3
    `),
  },
  "words and units that change a number": {
    equal: pairsOf(String.raw`
      3000000 ¦ 3 million
      3 million ¦ 3 million
      -3 ¦ negative 3
      9 ¦ 3 squared
      \sqrt{3} ¦ the square root of 3
      \sqrt[3]{3} ¦ cbrt(3) ¦ the cube root of 3
      2.5 billion ¦ 2500000000
      50\% ¦ 50 percent
      3 ¦ three ¦ 3 apples
      7 ¦ The answer is seven.
      2 dollars and 50 cents ¦ $2.50 ¦ 2 dollars 50 cents
      10 m by 20 m ¦ 10 m by 20 m
      10 \times 20 ¦ 200
      5 cm^2 ¦ 5 \text{ cm}^2 ¦ 5
      5 square centimeters ¦ 5 cm^2
      3 hours 30 minutes ¦ 3.5 hours
      5 feet 6 inches ¦ 66 inches
      5 kg ¦ 5000 g
      1/2 ¦ one half ¦ half
    `),
    notEqual: pairsOf(String.raw`
      3 ¦ 3 million ¦ \boxed{3 \text{ million}} ¦ the answer is 3 million
      3 ¦ negative 3 ¦ \boxed{\text{negative } 3} ¦ 3 squared
      3 ¦ \boxed{3 \text{ squared}} ¦ the square root of 3 ¦ \boxed{\text{the square root of } 3}
      3 ¦ the cube root of 3 ¦ cbrt(3) ¦ \operatorname{cbrt}(3) ¦ half of 3
      3 ¦ one third of 3 ¦ 3 percent ¦ 3 factorial
      3 ¦ the logarithm of 3 ¦ more than 3 ¦ at least 3
      3 ¦ approximately minus 3 ¦ plus or minus 3
      3 ¦ 3 pi ¦ 3 times 4 ¦ 3 plus 4 ¦ 3 minus 4
      3 ¦ The answer is negative 3.
      10 m by 20 m ¦ 10 m by 30 m ¦ 10 m
      10 by 20 ¦ 10 by 30
      10 m \times 20 m ¦ 10 m \times 30 m
      2 dollars and 50 cents ¦ 2 dollars and 75 cents ¦ 2 dollars
      3 hours 30 minutes ¦ 3 hours
      5 feet 6 inches ¦ 5 feet 7 inches
      3 red and 5 blue ¦ 3 red and 6 blue
      3 boys and 5 girls ¦ 3 boys and 4 girls
      5 cm^2 ¦ 5 cm^3
      5\text{ cm}^2 ¦ 5\text{ cm}^3
      5 \mathrm{cm}^2 ¦ 5 \mathrm{cm}^3
      5 cm² ¦ 5 cm³
      5 m^2 ¦ 5 m^3
      5 square meters ¦ 5 cubic meters ¦ 5 meters
      5 units^2 ¦ 5 units^3
      5 km ¦ 5 m
      5 km/h ¦ 5 m/s ¦ 5 km
      5 m/s ¦ 5 m/s^2
      5 \text{ m/s} ¦ 5 \text{ m/s}^2
      5 dollars ¦ 5 cents
      \$5 ¦ 5 cents ¦ €5
      5 AM ¦ 5 PM
      5:30 AM ¦ 5:30 PM
      5 apples ¦ 5 oranges per day and 3 pears
      20^\circ C ¦ 20^\circ F
      373 remainder 2 ¦ 373 remainder 3 ¦ 373
      373 ¦ 373 R 2
    `),
  },
  "lists, names, marks and repetition": {
    equal: pairsOf(String.raw`
      [3,\infty),[0,\infty) ¦ [3,\infty),[0,\infty)
      x \ne \pm 5 ¦ x \ne 5, x \ne -5 ¦ x \ne 5 \text{ and } x \ne -5
      x = \pm 5 ¦ x=5, x=-5
      z\bar z=1 ¦ \bar z z = 1
      |z|^2 ¦ z \bar z
      \dot x ¦ \dot{x}
      1, 2, 2, 3 ¦ 1, 2, 2, 3
      \{1, 2\} ¦ \{2, 1, 1\}
      (1, 2), (3, 4) ¦ (3, 4), (1, 2)
      \overrightarrow{AB} ¦ \vec{AB}
    `),
    notEqual: pairsOf(String.raw`
      [3,\infty),[0,\infty) ¦ [4,\infty),[0,\infty) ¦ [0,\infty)
      (0,2),(1,3) ¦ (0,3)
      [0,2], [1,3] ¦ [0,3] ¦ [0,1], [1,3]
      (-\infty,1], [1,\infty) ¦ \mathbb{R}
      \{1,2\},\{3\} ¦ \{1\},\{2,3\}
      \{1,2\},\{2,3\} ¦ \{1,2,3\}
      x \ne \pm 5 ¦ x \ne \pm 7 ¦ x \ne 5 ¦ x = \pm 5
      x > \pm 5 ¦ x > \pm 7
      x \ne 2, x \ne 3 ¦ x \ne 2, x \ne 4
      y = \pm 2x ¦ y = \pm 3x ¦ y = 2x
      x^2 = \pm 4 ¦ x^2 = \pm 5
      z\bar z=1 ¦ z^2=1
      z + \bar z = 2 ¦ 2z = 2
      \overline{z} = z ¦ z = z
      z\bar z ¦ z^2
      |z|^2 = 1 ¦ z^2 = 1
      \operatorname{Re}(z) > 0 ¦ z > 0
      \operatorname{Re} z = 1 ¦ z = 1
      \dot x ¦ x
      \ddot x ¦ \dot x
      \vec{x} = 3 ¦ x = 3
      \overrightarrow{AB} ¦ AB ¦ \overrightarrow{BA}
      \mathbf{x} ¦ \vec{y}
      x' ¦ x
      x^* ¦ x
      x^2 ¦ x^2_{12} ¦ x_1^2
      x_1 ¦ x_2
      1, 2, 2, 3 ¦ 1, 2, 3
      (1, 2, 2) ¦ (1, 2)
      1, 1, 2 ¦ 1, 2, 2
      \lambda = 1, 1, 2 ¦ \lambda = 1, 2, 2
      \lambda_1 = 1, \lambda_2 = 1, \lambda_3 = 2 ¦ \lambda_1 = 1, \lambda_2 = 2, \lambda_3 = 2
    `),
  },
  "what the sentence says": {
    equal: pairsOf(String.raw`
      15 ¦ The final answer is 15. (Check: 3 + 4 = 7 and 3+5 = 8.) ¦ The final answer is $15$. Check: $3+5 = 8$.
      D ¦ The answer is D, because A, B and C fail. ¦ The correct option is (D) since A and B are too small.
      D ¦ \boxed{\text{(D) Alina}}
      B ¦ 因此，正确答案是B，因为A不成立。
      \frac{2}{5} ¦ The value is \frac{2}{5}
      18 ¦ \boxed{17} is what I first thought, but I made an error. Answer: 18
      (-1, 3) ¦ \{x \mid -1<x<3\}
      [2,5] ¦ 2 \le x \le 5
      x \in [2,5] ¦ 2 \le x \le 5
      (-\infty,0)\cup(1,\infty) ¦ (-\infty,0)\bigcup(1,\infty)
      63.75 ¦ 63°45′
      (1,2) ¦ \begin{pmatrix}1\\2\end{pmatrix} ¦ \mleft(1,2\mright)
      \begin{pmatrix}1\\2\end{pmatrix} ¦ (1,2)
      (D) Alina ¦ D ¦ Alina ¦ (D) ¦ \boxed{D}
      x^2+C ¦ x^2+c
      \frac{x^2}{2}+C ¦ \frac{x^2}{2}+c
      \sin x + C ¦ \sin x + K
      \frac{\pi}{4}+k\pi ¦ \frac{\pi}{4}+n\pi
      x = 2k\pi, k \in \mathbb{Z} ¦ x = 2n\pi, n \in \mathbb{Z}
      2n+1, n \in \mathbb{Z} ¦ 2k+1, k \in \mathbb{Z}
      42 ¦ <think>maybe \boxed{41}</think>The answer is <answer>42</answer>
      42 ¦ <answer>\boxed{42}</answer> ¦ <answer>$x = 42$</answer>
    `),
    notEqual: pairsOf(String.raw`
      8 ¦ The final answer is 15. (Check: 3 + 4 = 7 and 3+5 = 8.) ¦ The final answer is $15$. Check: $3+5 = 8$.
      C ¦ The answer is D, because A, B and C fail.
      17 ¦ \boxed{17} is what I first thought, but I made an error. Answer: 18
      42 ¦ <think>So \boxed{42}. But wait ¦ <think>So \boxed{42}.</think> ¦ <think>So \boxed{42}.</think>I am not sure.
      1024 ¦ 1+2+\ldots+2^9
      (1,3) ¦ \begin{pmatrix}1\\2\end{pmatrix}
      (D) Alina ¦ C ¦ Bob
      100000! ¦ 99999! \cdot 100001 ¦ 100000! + 1
      x^2+C ¦ x^2+5 ¦ x^2
      2x + C ¦ 3x + c
      \frac{\pi}{4}+k\pi ¦ \frac{\pi}{4}+2n\pi
      x + y ¦ x + z
      \foo + 1 ¦ \bar + 1
      \clubsuit ¦ \spadesuit
      5 ¦ 5 \clubsuit
    `),
  },
  "a second look at all of them": {
    equal: pairsOf(String.raw`
      3 ft 6 in ¦ 42 inches
      1.5 ¦ \boxed{1.5\,\mathrm{m}} ¦ \boxed{1.5\ \mathrm{m}^{2}}
      150 ¦ \boxed{150\,\text{cm}^3}
      5 ¦ $5 \mathrm{~kg}$ ¦ 5.0 ¦ = 5
      9.8 ¦ 9.8\,\mathrm{m/s^2} ¦ 9.8 \mathrm{~m} / \mathrm{s}^{2}
      120 ¦ $120^{\circ}$
      120^\circ ¦ 120 degrees
      45^\circ 30' ¦ 45.5^\circ
      6 ¦ $\boxed{6 \text{ possible values}}$ ¦ Tom has 6 apples left. ¦ There are 6.
      72 ¦ \boxed{72\text{ ways}}
      \frac{3}{5} ¦ \boxed{\dfrac{3}{5}\text{ hours}}
      0.6 ¦ 60\%
      105 ¦ one hundred five
      -5 ¦ negative five
      1000000 ¦ one million
      x>2 ¦ (2,\infty)
      (2,\infty) ¦ x>2
      x \ge 3 or x \le -1 ¦ (-\infty,-1]\cup[3,\infty)
      (-\infty,-1]\cup[3,\infty) ¦ x\le -1 \text{ or } x\ge 3
      (-\infty,-1)\cup(3,\infty) ¦ x<-1, x>3
      \mathbb{R}\setminus\{2\} ¦ x\ne 2
      x \ne 2 ¦ (-\infty,2)\cup(2,\infty)
      1,2,3 ¦ 3,2,1
      x=1,2,3 ¦ \{1,2,3\}
      (1,2),(3,4) ¦ (1,2) and (3,4)
      y=2x+1 ¦ 2x-y+1=0
      C ¦ (C) ¦ \textbf{(C)} ¦ C. 12 ¦ \boxed{\text{C}}
      C ¦ Option C is correct. ¦ I choose C
      \text{(C)} ¦ C
      12 ¦ 答案是12。 ¦ 最终答案：\boxed{12} ¦ 最终答案是 $12$ ¦ 综上所述，$x=12$。 ¦ **Final Answer**⏎⏎12
      12 ¦ #### 12 ¦ Therefore, the answer is $\boxed{12}$.
      12 ¦ Thus the answer is⏎⏎$$12$$ ¦ Final answer: $x = 12$
      12 ¦ reasoning...</think>The answer is 12
      \sqrt{2} ¦ The length is \sqrt{2}
      2\sqrt{3} ¦ The length equals 2\sqrt{3} units.
      x^2+3x+C ¦ x^2+3x+c
      \ln|x|+C ¦ \ln|x|+C_1
      \frac{\pi}{6}+2k\pi ¦ \frac{\pi}{6}+2n\pi
      \langle 1,2,3\rangle ¦ (1,2,3)
      50! ¦ 50 \cdot 49!
      0.5 ¦ \nicefrac{1}{2}
      3\vec{a}+2\vec{b} ¦ 2\vec{b}+3\vec{a}
      \vec{v}=(1,2) ¦ (1,2)
      z\bar{z} ¦ |z|^2
      \operatorname{ord}(3) ¦ \operatorname{ord}(3)
      2:30 ¦ 2:30
      \$2.50 ¦ 2.50 dollars ¦ 250 cents
      3 ¦ x = 3 cm ¦ \boxed{\text{3}}
      (3,4) ¦ x=3, y=4
      x=3,y=4 ¦ (3,4)
      10 ¦ \boxed{10 \text{ km/h}} ¦ \boxed{10 \frac{\text{km}}{\text{h}}}
      -\frac12 ¦ negative one half
      all real numbers ¦ \mathbb{R}
      \mathbb{R} ¦ (-\infty,\infty)
      no solution ¦ \emptyset
      \text{no real solutions} ¦ no solution
      even ¦ The function is even.
      True ¦ \boxed{\text{true}}
      3 boys and 5 girls ¦ 5 girls and 3 boys
      7 ¦ $7$ cm
      4x^2 ¦ 4x^{2}
      13 ¦ \boxed{x=13}
      (x-1)(x+2) ¦ x^2+x-2
      \{x|-2\leq x < 1\} ¦ [-2,1)
      2^{1009} ¦ \boxed{2^{1009}}
      a^{2}+b^{2} ¦ b^2+a^2
      1:9 ¦ \frac19
      9 (apples) ¦ 9 ¦ 9 apples
      C. {x \mid -3<x<4} ¦ C
      \text{C} ¦ C
      x=1 ¦ 1
      -1<x<3 ¦ (-1,3)
      f(x)=x+1 ¦ x+1
      1/e ¦ e^{-1}
      30^\circ ¦ \frac{\pi}{6}
    `),
    notEqual: [
      ...pairsOf(String.raw`
      [1.5e-3, 2] ¦ [1.9e-3, 2]
      \{1.5e-3\} ¦ \{1.9e-3\}
      1e-400 ¦ 2e-400
      P(X>1.5e-3) ¦ P(X>1.9e-3)
      P(X>1)=2 ¦ P(X>2)=2
      \sqrt{2.5e-5} ¦ \sqrt{2.9e-5}
      5.0e-8 ¦ 0
      P(X=1)=0.3, P(X=2)=0.5 ¦ P(X=1)=0.5, P(X=2)=0.3
      a_{10}=55, a_{11}=89 ¦ a_{10}=89, a_{11}=55
      f(1)>0, f(2)<0 ¦ f(1)<0, f(2)>0
      f(3)=f(5) ¦ f(3)=f(7)
      \angle A = 30^\circ, \angle B = 60^\circ ¦ \angle A = 60^\circ, \angle B = 30^\circ
      AB=3, CD=4 ¦ AB=4, CD=3
      f(1):f(2)=1:2 ¦ f(1):f(2)=1:3
      f(0)=0, f'(0)=1 ¦ f(0)=1, f'(0)=0
      f(1)=2, f(2)=5 ¦ 2, 6
      f(1,2)=3 ¦ f(2,1)=3
      f(f(1))=2 ¦ f(1)=2
      \max f = 3, \min f = 1 ¦ \max f = 1, \min f = 3
      f(1)f(2)=6 ¦ f(1)f(3)=6
      f(2) \geq f(3) ¦ f(2) \leq f(3)
      \log_a 2 < \log_a 3 ¦ \log_a 3 < \log_a 2
      a > b > c ¦ c > b > a
      a<b<c ¦ a<c<b
      S_{10} = 100 ¦ S_{20} = 100
      f(1)<f(2), f(3)<f(4) ¦ f(2)<f(1), f(3)<f(4)
      x(1)=1 ¦ x(2)=1
      E(X)=2, digits(X)=3 ¦ E(X)=3, digits(X)=2
      E(X) = 2 ¦ E(Y) = 2
      5 ¦ $x=5$. \boxed{12 \mathrm{~cm}^3} ¦ $5$ \boxed{\#5} ¦ $5$ \boxed{\ce{H2O}} ¦ $5$ and \boxed{\text{no}}
      5 ¦ \boxed{x \to 5} ¦ 5. \boxed{\begin{tabular}{c} 1 & 2 \\ 3 \end{tabular}}
      5 ¦ We get 5. $$\boxed{\text{The limit does not exist}}$$ ¦ $\boxed{5 \text{ or } 6}$
      5 ¦ 5 \boxed{\sum_{n=1}^\infty \frac{1}{n^2}} ¦ \boxed{5 \; \mathrm{to} \; 7} ¦ \boxed{5:7}
      5 ¦ \boxed{5,7} ¦ \boxed{5\cdots} ¦ \boxed{\ldots 5} ¦ \pm 5 ¦ The answer is not 5. ¦ The answer isn't 5 ¦ The answer cannot be \boxed{5}.
      5 ¦ Is the answer 5? No, it is 6.
      5 ¦ 答案是6，而不是5。 ¦ 答案不是5，是6
      7 ¦ \boxed{7 \& 8}
      30 ¦ \boxed{12\ \text{min}\ 30\ \text{s}}
      1 ¦ $1$. So \boxed{\lim_{x\to 0^+} \frac{1}{x} = \infty} ¦ \boxed{1}\boxed{2}
      3 ¦ $a=3$, \boxed{A \cup B} ¦ 3 raised to 4
      3 ¦ 3 below zero ¦ 3 degrees below zero ¦ one less than 3 ¦ 3 gross ¦ 3 score ¦ 3k
      3 ¦ three hundred ¦ thirty ¦ -three ¦ negative three ¦ 3rd ¦ 1/3 of it ¦ log 3
      3 ¦ ln(3) ¦ sin 3 ¦ 3 choose 2 ¦ 3 mod 2 ¦ 3% ¦ zero point three ¦ point 3 ¦ 3 point 5
      3 ¦ 3 and a half ¦ 3 1/2 ¦ 3 or 4 ¦ 3 to 4
      3 ¦ 3 is wrong ¦ \boxed{\neq 3} ¦ \boxed{> 3} ¦ \boxed{\ge 3}
      3 ¦ \boxed{<3} ¦ \boxed{\text{at least }3} ¦ \boxed{3+} ¦ \boxed{\sim 3} ¦ \boxed{O(3)}
      3 ¦ \boxed{3\,!} ¦ \boxed{\bar 3} ¦ \boxed{\overline{3}} ¦ \boxed{3^*} ¦ \boxed{3'} ¦ \boxed{|3\rangle}
      3 ¦ \boxed{\text{three thousand}}
      3 ¦ \boxed{3 \text{ tenths}}
      3 ¦ 二分之3 ¦ 3倍 ¦ 3的倒数
      3 ¦ 负三
      45 ¦ $45$ \boxed{\arg z = \theta}
      [2,1] ¦ \varnothing
      ]3,2[ ¦ \emptyset
      (5,-\infty) ¦ \emptyset
      (\infty,3) ¦ \emptyset
      x \in (3,2) ¦ \text{no solution}
      (0,0) ¦ \emptyset
      (1,1) ¦ \{1\}
      [1,1] ¦ 1
      (4, 3) ¦ (-\infty, 4) \cap (4, \infty)
      (-3,-5) ¦ \emptyset
      (\pi,3) ¦ \emptyset
      (\sqrt 2, 1) ¦ [\sqrt2,1]
      (a,b) ¦ (b,a)
      $3$ and $-2$ ¦ -2
      x=1 or $x=2$ ¦ 2
      (i) $3$ (ii) $5$ ¦ 5
      $a=3$; 5 ¦ 3
      max $5$, min $2$ ¦ 2
      $2$ or $3$ ¦ 3
      $x>3$ or $x<1$ ¦ x<1
      three times $5$ ¦ 5
      $2$ apples and $3$ pears ¦ 3
      $-$ $3$ ¦ 3
      $3$ (mod $5$) ¦ 5
      $5$ remainder $2$ ¦ 5
      2 lb 3 oz ¦ 2 lb 4 oz
      2 gallons 3 quarts ¦ 2 gallons 1 quart
      $5 and 25 cents ¦ $5 and 75 cents
      5 sq ft ¦ 5 ft
      5 per hour ¦ 5 per minute
      5 mph ¦ 5 kph
      5 lbs ¦ 5 kg
      5 nickels and 3 dimes ¦ 3 nickels and 5 dimes
      5 \text{ m}^2 ¦ 5 \text{ m}^{3}
      5\,m^2 ¦ 5\,m^3
      3 \text{ hundred} ¦ 3
      x=2\pm\sqrt3 ¦ x=2\pm\sqrt5 ¦ x=2+\sqrt3
      x \ne 0, \pm 1 ¦ x \ne 0, \pm 2 ¦ x \ne 0
      (\pm 1, \pm 2) ¦ (\pm 1, \pm 3)
      (\pm1, 2) ¦ (1,2)
      \{(1,2),(3,4)\} ¦ \{(1,2),(3,5)\}
      \{(1,2)\} ¦ \{(2,1)\}
      [0,1],(2,3) ¦ [0,1],(2,4)
      \overline{z} ¦ z
      \bar{x} ¦ x
      a_{n+1} ¦ a_{n-1} ¦ a_n+1
      2,2,3 ¦ 2,3,3
      0,0,3 ¦ 0,3
      |z-1|=|z+1| ¦ z-1=z+1
      \operatorname{Im}(z)=0 ¦ z=0
      \arg z = 0 ¦ z=0
      x^{*} ¦ x
      x^\dagger ¦ x
      \tilde{x}^2 ¦ x^2
      \vec a \cdot \vec b ¦ ab
      \vec{a}+\vec{b} ¦ a+b
      |\vec a| ¦ |a|
      \dot{x}+x ¦ 2x
      f''(x) ¦ f'(x)
      \overline{AB} ¦ \overline{AC}
      \angle ABC ¦ \angle BAC
      {}^{14}C ¦ {}^{12}C
      x_1x_2 ¦ x_1x_1
      a_{1,2} ¦ a_{2,1}
      \frac{dy}{dx} ¦ \frac{dx}{dy}
      \partial x ¦ x
      \mathbb{Z} ¦ \mathbb{Q}
      \mathbb{R}^2 ¦ \mathbb{R}^3
      \mathbb{R} ¦ \mathbb{R}^+
      \mathbb{N} ¦ \mathbb{Z}^+ \cup \{0\}
      x\in\mathbb{Z} ¦ x\in\mathbb{R}
      \{1,2,2\} ¦ \{1,2,3\}
      (0,1)\cup(1,2) ¦ (0,2)
      x>1, x<3 ¦ x>1, x<4
      x>1 or x<0 ¦ x>1 or x<-1
      x>1, y<3 ¦ x>1, y<4
      x<1, x>3 ¦ x<1, x>4
      x \le 1 \text{ and } x \ge 3 ¦ \mathbb{R}
      x=1, y=2 ¦ x=1, y=3
      y=\pm x ¦ y=x
      x^2+y^2=1 ¦ x^2+y^2=\pm 1
      \pm 5 ¦ 5 ¦ \pm 6
      \mp 5 i ¦ 5i
      A \cap B ¦ A \cup B
      A \setminus B ¦ B \setminus A
      p \wedge q ¦ p \vee q
      p \to q ¦ q \to p
      \neg p ¦ p
      \lnot p ¦ p
      x \mid y ¦ y \mid x
      n \equiv 1 \pmod 4 ¦ n \equiv 3 \pmod 4 ¦ n \equiv 1 \pmod 5
      x \parallel y ¦ x \perp y
      AB \parallel CD ¦ AB \perp CD
      x \approx 3 ¦ x = 4
      \sum_{k=1}^n k ¦ \sum_{k=1}^n k^2 ¦ \sum_{k=0}^{n-1} k
      \int_0^1 x dx ¦ \int_0^2 x dx
      \lim_{x\to 0} x ¦ \lim_{x \to 1} x
      \lim_{x\to 0^+} \frac1x ¦ \lim_{x\to 0^-} \frac1x
      17 ¦ \boxed{17}. Wait, that is wrong, since 17 is prime.
      A ¦ \boxed{A} ... Actually, the answer is B.
      B ¦ Not B. ¦ The answer is not B ¦ It cannot be B ¦ A or B ¦ The answer is A or B.
      B ¦ \boxed{A, B} ¦ \boxed{AB} ¦ 故选AB ¦ 选A，不选B
      42 ¦ <answer>41</answer> 42 ¦ <answer></answer> 42 ¦ <answer>42
      42 ¦ <reasoning>\boxed{42}</reasoning><answer>41</answer> ¦ <think>x</think><think>\boxed{42}
      8 ¦ Final Answer: 15 (since 3+5=8)
    `),
      ["a_{" + digits("7", 1300) + "}", "a_{" + digits("7", 1299) + "8}"],
      ["x^{" + digits("7", 1300) + "}", "x^{" + digits("7", 1299) + "8}"],
      ["(" + digits("7", 1300) + ", 2)", "(" + digits("7", 1299) + "8, 2)"],
      ["0." + digits("3", 100) + "1", "0." + digits("3", 100) + "2 x"],
    ],
  },
  "what stands around the answer": {
    equal: pairsOf(String.raw`
      3 h 20 min ¦ \boxed{3\text{ h }20\text{ min}}
      12 ¦ \boxed{12~\mathrm{min}} ¦ \boxed{12 \text{~min}} ¦ \boxed{12\mathrm{~h}} ¦ \boxed{(C)\ 12}
      12 \mathrm{~cm} ¦ 12\text{ cm}
      3 ¦ The answer is (3).
      C ¦ Answer: C) 12 ¦ \boxed{(C)\ 12}
      x=\boxed{5} ¦ 5
      5 ¦ $x=\boxed{5}$ ¦ x \approx \boxed{5} ¦ Thus $x+y = \boxed{5}$. ¦ The area is $\boxed{5}$ square units.
      -5 ¦ $x=-\boxed{5}$ hmm, \boxed{-5}
      5\% ¦ $\boxed{5}\%$
      \frac{1}{3} ¦ \frac{1}{3}\approx 0.333
      ①③ ¦ ①③
      2\sqrt3 ¦ \sqrt{12}
      0.001 ¦ 10^{-3}
      \frac{1}{2} ¦ The answer is 1/2.
      y=x^2 ¦ y=x^2
      a_n=2n ¦ 2n
      (x-2)^2+y^2=4 ¦ x^2-4x+y^2=0
      6 ¦ 答案是六
      3\text{ and }5 ¦ 3, 5
      \frac{3}{4} ¦ three fourths
      (0, 1) ¦ x \in (0,1)
      k > 2 ¦ k>2
      k>2 ¦ (2, +\infty)
      (2,+\infty) ¦ (2,\infty)
      \{x|x>2\} ¦ (2,\infty)
      -1 ¦ \boxed{-1}
      1 ¦ <answer>1</answer>
      1.5 ¦ 3/2
      1\frac12 ¦ 1.5
      2x+1 ¦ 1+2x
      e^{2} ¦ e^2
      \log_2 8 ¦ 3
      \infty ¦ +\infty
      -\infty ¦ -\infty
      \sin^2 x ¦ (\sin x)^2
    `),
    notEqual: pairsOf(String.raw`
      3 ¦ \boxed{3\text{ h }20\text{ min}} ¦ \boxed{3 \mathrm{~million}} ¦ \boxed{-\text{ }3} ¦ \boxed{\text{about } -3}
      3 ¦ \boxed{3 \times 10^6} ¦ The final answer is 3 or 4. ¦ Answer: 3, 4
      3 ¦ The answer is between 3 and 4 ¦ The answer is greater than 3. ¦ The answer is at least 3.
      3 ¦ The answer is 3i. ¦ The answer is 3x. ¦ The answer is 3/4 ¦ The answer is 3.5 ¦ The answer is 3^2
      3 ¦ The answer is 3:4 ¦ the answer is $3$ million ¦ The answer is $3$% ¦ The answer is $3$ dozen.
      3 ¦ The answer is half of $3$. ¦ the answer is negative $3$
      3 ¦ The final answer is $3$ thousand. ¦ \boxed{3} million ¦ negative \boxed{3} ¦ $\boxed{3}$ thousand dollars
      3 ¦ The answer is not $3$. ¦ minus \boxed{3} ¦ -\boxed{3} ¦ $-\boxed{3}$ ¦ \boxed{3}\% ¦ \sqrt{\boxed{3}}
      3 ¦ $2\cdot\boxed{3}$ ¦ $\boxed{3}^2$ ¦ $\boxed{3}!$ ¦ $\frac{1}{\boxed{3}}$ ¦ x \ne \boxed{3} ¦ $x>\boxed{3}$
      3 ¦ the square root of \boxed{3}
      7 ¦ $k=7$ so \boxed{k^\circ\,\mathrm{C}} ¦ We get $7$.⏎⏎\boxed{\text{Option } 3}
      12 ¦ \boxed{12\,\mathrm{cm} \times 5\,\mathrm{cm}}
      x \ge 3 ¦ x > 3
      [1,2] ¦ [1,2)
      \{1,2\} ¦ (1,2)\cup\{3\}
      (1,2] ¦ 1\le x\le 2
      \frac{8}{9};1 ¦ \frac89
      A: 3, B: 4 ¦ 4
      3; 4 ¦ 3
      $3$;$4$ ¦ 4
      ①③ ¦ ①②
      2 and 3 ¦ 2
      x=2, y=3 ¦ x=2
      2\sqrt{2} ¦ \sqrt{2}
      5 \text{ m} ¦ 5 \text{ km}
      5 ¦ Answer: \boxed{6} (not 5)
      \vec{a} \cdot \vec{b}=0 ¦ a b = 0
      \bar{z}=1+i ¦ z=1+i
      \overline{AB}=5 ¦ \overline{CD}=5
      \hat{y}=2x+1 ¦ y=2x+1
      x'=2 ¦ x=2
      f'(x)=2x ¦ f(x)=2x
      f^{-1}(x)=2x ¦ f(x)=2x
      y''+y=0 ¦ y'+y=0
      a_n=2n ¦ b_n=2n
      S_n=n^2 ¦ a_n=n^2
      a_{n+1}=2a_n ¦ a_n=2a_{n+1}
      x_0=1 ¦ x_1=1
      1,2,3,3 ¦ 1,2,3
      5,5 ¦ 5
      3.14 ¦ 3.15
      1.23e10 ¦ 1.24e10
      0.33 ¦ \frac13
      1.41 ¦ \sqrt2
      C ¦ (C) is incorrect; the answer is (D)
    `),
  },
  "right answers in unusual dress": {
    equal: pairsOf(String.raw`
      \{2k\pi : k\in\mathbb Z\} ¦ x=2n\pi, n\in\mathbb Z
      \{2k\pi \mid k\in\mathbb Z\} ¦ \boxed{2n\pi, n\in\mathbb Z}
      9.8 \text{ m/s}^2 ¦ 9.8\,m\,s^{-2}
      10 \text{ ohms} ¦ 10\,\Omega
      37^\circ\text{C} ¦ 37 \text{ degrees Celsius}
      \begin{pmatrix}1\\2\\3\end{pmatrix} ¦ [1,2,3]^T
      n^2 ¦ We obtain $n^2$ whenever $n>0$.
      20 ¦ So $x=20$. We can check that $20/4 = 5$.
      12 ¦ \begin{aligned} 3 \cdot 4 &= 6 + 6 \\ &= 12 \end{aligned}
      2x ¦ \begin{aligned} f'(x) &= \frac{d}{dx}x^2 \\ &= 2x\end{aligned}
      7 ¦ Hence $\boxed{7}$ (and not $\boxed{8}$)
      \frac12 ¦ $\boxed{\frac12}$ or equivalently $\boxed{0.5}$
      (1,2,3) ¦ (1,2,3)^T
      (0,\infty) ¦ x>0, x\in\mathbb{R}
      25^\circ C ¦ 25 degrees Celsius
      42 ¦ 答えは42です ¦ ٤٢
      11 ¦ 1011_{\text{two}}
    `),
    notEqual: pairsOf(String.raw`
      (a,b)=(1,2) ¦ a=1 \text{ or } b=2
      [1,2] ¦ 1 \le x \le 2 \text{ where } x \in \mathbb{Z}
      x=5 ¦ 5=5
      37^\circ\text{C} ¦ 37^\circ\text{F}
      10\,\Omega ¦ 10\text{ k}\Omega
      \{2k\pi : k\in\mathbb Z\} ¦ x=n\pi, n\in\mathbb Z
      x>0 ¦ x>0 \text{ for integer } x
      11 ¦ \boxed{9} (rather than \boxed{11})
      B ¦ Vitamin B is good ¦ Plan B ¦ Let B be a point
    `),
  },
};
