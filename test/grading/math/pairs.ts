// Pairs of a gold answer and a response with the verdict that they deserve, by kind of answer. Every pair is our own.

import { pairs as pairsOf } from "./adversaries/pairs.ts";

export type Pairs = {
  readonly equal: readonly (readonly [gold: string, response: string])[];
  readonly different: readonly (readonly [gold: string, response: string])[];
};

export const pairs: Readonly<Record<string, Pairs>> = {
  "whole numbers": {
    equal: pairsOf(String.raw`
      42 ¦ 42 ¦ $42$ ¦ \boxed{42} ¦ The answer is 42.
      042 ¦ 42
      -7 ¦ \boxed{-7} ¦ −7
      1234567 ¦ 1,234,567 ¦ \boxed{1{,}234{,}567}
      12345 ¦ $12,\!345$
      5 ¦ \boxed{+5} ¦ |-5|
      10 ¦ \boxed{(10)} ¦ \boxed{{10}} ¦ C_5^2
      8 ¦ 2^3 ¦ \boxed{2\cdot4} ¦ \boxed{2 \times 4} ¦ 16/2 ¦ 16 \div 2
      24 ¦ 4!
      120 ¦ \binom{10}{3} ¦ \prod_{k=1}^{5} k
      6 ¦ \gcd(12, 18)
      36 ¦ \operatorname{lcm}(12, 18)
      1 ¦ 7 \bmod 3
      3 ¦ \lfloor 3.7 \rfloor
      15 ¦ 5!!
      55 ¦ \sum_{k=1}^{10} k
      7 ¦ \max\{3, 7, 5\}
      13 ¦ $$⏎13⏎$$ ¦ \boxed{ 13 \text{ }}
      13 ¦ \boxed{\mathbf{13}} ¦ \boxed{\displaystyle 13}
    `),
    different: [
      ...pairsOf(String.raw`
      42 ¦ 43 ¦ -42 ¦ 4.2 ¦ \boxed{24}
      1234567 ¦ 1,234,568
      12345 ¦ \boxed{12, 345}
      5 ¦ \boxed{5x} ¦ \boxed{x} ¦ I could not find the answer.
      8 ¦ \boxed{2^4}
      120 ¦ \binom{10}{4}
      7 ¦ \boxed{} ¦ First I had \boxed{7}, then \boxed{8
    `),
      ["5", ""],
    ],
  },
  fractions: {
    equal: pairsOf(String.raw`
      \frac{3}{4} ¦ 3/4 ¦ 0.75 ¦ \dfrac{3}{4} ¦ \tfrac34 ¦ \frac{6}{8} ¦ ¾ ¦ {3 \over 4} ¦ 75\%
      -\frac{5}{6} ¦ \frac{-5}{6} ¦ -5/6
      \frac{7}{2} ¦ 3\frac{1}{2} ¦ 3 1/2 ¦ 3½ ¦ It takes 3 1/2 hours.
      \frac{1}{3} ¦ 0.\overline{3} ¦ 0.\dot{3} ¦ 0.333\ldots
      \frac{1}{15} ¦ 0.0666666667
      \frac{22}{7} ¦ 22 \div 7
      \frac{1}{2345432} ¦ 1/2{,}345{,}432
      \frac{\frac{1}{2}}{3} ¦ \frac16
      \frac{1}{1+\frac{1}{2}} ¦ \frac{2}{3}
    `),
    different: pairsOf(String.raw`
      \frac{3}{4} ¦ 4/3 ¦ 0.76 ¦ -\frac34
      \frac{7}{2} ¦ \frac{3}{2} ¦ 3 1/3
      \frac{1}{2004!} ¦ \frac{1}{2006!}
      \frac{1}{2^{99}} ¦ \frac{1}{2^{98}}
    `),
  },
  decimals: {
    equal: pairsOf(String.raw`
      3.5 ¦ 7/2 ¦ 3.50
      2.74 ¦ 2,74 ¦ $2{,}74$
      2050.75 ¦ 2.050,75 is wrong, it is 2050.75 ¦ 2,050.75
      24817.35 ¦ \$24,817.35
      0.00012 ¦ 1.2 \times 10^{-4} ¦ 1.2e-4
      1500 ¦ 1.5 \cdot 10^3
      6.02 \times 10^{23} ¦ 6.02e23
      \pi ¦ 3.14159265
      \sqrt{19} ¦ 4.358898943540674
    `),
    different: pairsOf(String.raw`
      3.5 ¦ 3.6 ¦ 35
      \pi ¦ 3.14
      0.0000001 ¦ 0.0000002 ¦ 0
      6.02 \times 10^{23} ¦ 6.02 \times 10^{22}
      1.5e3 ¦ 1.5e4
    `),
  },
  percent: {
    equal: pairsOf(String.raw`
      36\% ¦ 36% ¦ 36 percent ¦ \boxed{36\%} ¦ \boxed{36}\% ¦ 0.36
      12.5\% ¦ \frac{1}{8}
      \frac{100}{3}\% ¦ 33\frac{1}{3}\%
    `),
    different: pairsOf(String.raw`
      36\% ¦ 36 ¦ 3.6
    `),
  },
  radicals: {
    equal: pairsOf(String.raw`
      2\sqrt{3} ¦ \sqrt{12} ¦ 2√3 ¦ \sqrt{3} \cdot 2 ¦ 2 sqrt(3) ¦ 2*sqrt(3) ¦ \frac{6}{\sqrt{3}} ¦ 2 \cdot 3^{1/2}
      \frac{1}{\sqrt{2}} ¦ \frac{\sqrt{2}}{2}
      \sqrt{3}-\sqrt{2} ¦ \frac{1}{\sqrt{3}+\sqrt{2}}
      1+\sqrt{3} ¦ \sqrt{4+2\sqrt{3}}
      \sqrt{2}+\sqrt{3} ¦ \sqrt{5+2\sqrt{6}}
      1 ¦ \sqrt[3]{2+\sqrt{5}}+\sqrt[3]{2-\sqrt{5}}
      -2 ¦ \sqrt[3]{-8}
      \sqrt[6]{8} ¦ \sqrt{2}
      \frac{5\sqrt{23}}{18} ¦ \frac{5}{18}\sqrt{23}
      173+26\sqrt{42} ¦ 26\sqrt{42}+173
      \frac{1+\sqrt{5}}{2} ¦ \frac12+\frac{\sqrt5}{2}
      \sqrt{1+\frac{\sqrt{10}}{5}} ¦ \sqrt{\frac{5+\sqrt{10}}{5}}
      x\sqrt{2} ¦ \sqrt{2}x
      \sqrt{10^{20}+1}-10^{10} ¦ \frac{1}{\sqrt{10^{20}+1}+10^{10}}
    `),
    different: pairsOf(String.raw`
      2\sqrt{3} ¦ 3\sqrt{2}
      \sqrt{3}-\sqrt{2} ¦ \sqrt{2}-\sqrt{3}
      1+\sqrt{3} ¦ \sqrt{4+2\sqrt{2}}
      \sqrt{2}+\sqrt{3} ¦ \sqrt{5}
      \sqrt[3]{2} ¦ \sqrt[3]{2.0001}
      173+26\sqrt{42} ¦ 173-26\sqrt{42}
    `),
  },
  "huge numbers": {
    equal: pairsOf(String.raw`
      2^{1000}-1 ¦ \sum_{k=0}^{999} 2^k
      2^1979 ¦ 2^{1979}
      2^{1997}-1998 ¦ 2 \cdot 2^{1996} - 1998
      2^{23} \cdot 29! ¦ 29! \cdot 2^{23}
      \frac{5^{1987}+5}{6} ¦ \frac{5(5^{1986}+1)}{6}
      \frac{1}{2}\binom{2024}{1012} ¦ \binom{2023}{1011}
      10^{100} ¦ 10^{50}\cdot10^{50}
      \frac{2024!}{2023!} ¦ 2024
      3^{3^{3^3}} ¦ 3^{3^{27}}
    `),
    different: pairsOf(String.raw`
      2^{1000}-1 ¦ 2^{1000}+1
      2^{1000} ¦ 2^{1001}
      100! ¦ 101!
      100!+1 ¦ 100!
      10^{100000} ¦ 10^{100000}+1
      3^{3^{3^3}} ¦ 3^{3^{3^3}}+1
      \pi+\frac{1}{2004!} ¦ \pi+\frac{1}{2006!}
      \sin 1+\frac{1}{200!} ¦ \sin 1
      e^{\pi\sqrt{163}} ¦ 262537412640768744
    `),
  },
  "constants and functions": {
    equal: pairsOf(String.raw`
      \frac{\pi}{6} ¦ \pi/6 ¦ π/6 ¦ \frac16\pi
      \frac{3}{2}\pi ¦ 3/2\pi
      1-\frac{3}{\pi} ¦ \frac{\pi-3}{\pi}
      \frac{1}{2} ¦ \sin\frac{\pi}{6} ¦ \sin 30^\circ ¦ \cos(60°)
      \frac{\sqrt{6}-\sqrt{2}}{4} ¦ \sin 15^{\circ}
      -\frac{1}{2} ¦ \cos\frac{2\pi}{7}+\cos\frac{4\pi}{7}+\cos\frac{6\pi}{7}
      \frac{\sqrt{5}-1}{4} ¦ \cos 72^\circ
      \pi ¦ \arctan 1+\arctan 2+\arctan 3
      \frac{\pi}{4} ¦ \arctan\frac12+\arctan\frac13
      \pi-\arccos\frac29 ¦ \arccos\left(-\frac29\right)
      \pi-\arctan\frac{15}{8} ¦ \arccos\left(-\frac{8}{17}\right)
      \frac{\pi}{3} ¦ \sin^{-1}\frac{\sqrt3}{2}
      3 ¦ \log_2 8 ¦ \log_{2}{8}
      2 ¦ \log_{10} 100 ¦ \lg 100
      1 ¦ \ln e
      3\ln 2 ¦ \ln 8
      \log_2 3 ¦ \frac{\ln 3}{\ln 2} ¦ \frac{\log 3}{\log 2}
      e^2 ¦ \exp(2)
      \frac{e-1}{e} ¦ 1-\frac{1}{\mathrm{e}}
      1-e^{-1} ¦ 1-\frac1e
      \sinh 0 ¦ 0
      0 ¦ \sin(\pi) ¦ \cos 90^\circ
      \tan 60^\circ ¦ \sqrt3
      16\pi ¦ 16 \pi \text{ square units}
    `),
    different: pairsOf(String.raw`
      \frac{\pi}{6} ¦ \frac{\pi}{3}
      \frac{1}{2} ¦ \sin 30 ¦ \sin\frac{\pi}{3}
      \log_2 3 ¦ \log_3 2
      \ln 2 ¦ \ln 3
      e ¦ \pi
      e^2 ¦ 2e
      1-\frac{1}{e} ¦ 1+\frac{1}{e}
      \arccos\frac{5}{14} ¦ \arcsin\frac{5}{14}
      \pi^2 ¦ 2\pi
      \frac{\pi^2}{6} ¦ \frac{\pi^2}{8}
    `),
  },
  angles: {
    equal: pairsOf(String.raw`
      107^{\circ} ¦ 107^\circ ¦ 107° ¦ 107 degrees
      107 ¦ \boxed{107^\circ}
      30^\circ ¦ \frac{\pi}{6}
      \angle ABC = 40^\circ ¦ 40^\circ
    `),
    different: [
      ["107^{\\circ}", "108^\\circ"],
      ["30^\\circ", "\\frac{\\pi}{3}"],
      ["30", "\\frac{\\pi}{6}"],
    ],
  },
  expressions: {
    equal: pairsOf(String.raw`
      x^2+2x+1 ¦ (x+1)^2 ¦ 1+x(x+2)
      \frac{x+2}{7} ¦ \frac{x}{7}+\frac27
      \frac{x^2-1}{x-1} ¦ x+1
      2x ¦ x \cdot 2
      xy ¦ yx
      a^2-b^2 ¦ (a-b)(a+b)
      \sec^2 t ¦ \tan^2(t)+1
      \sin 2x ¦ 2\sin x\cos x
      \cos 2x ¦ 1-2\sin^2 x
      \frac{1}{\sqrt{n}} ¦ \sqrt{\frac1n}
      n(n+1)/2 ¦ \frac{n^2+n}{2}
      \frac{n(n+1)}{2} ¦ \sum_{k=1}^{n} k ¦ \binom{n+1}{2}
      n! ¦ n \cdot (n-1)!
      2^{n+1} ¦ 2\cdot2^n
      4^n ¦ 2^{2n}
      (-1)^n ¦ \cos(n\pi)
      \left\lfloor\frac{n+1}{2}\right\rfloor ¦ \lceil\frac{n}{2}\rceil
      a_n ¦ a_{n}
      x_1+x_2 ¦ x_{2}+x_{1}
      \frac{1}{2x} ¦ 1/2x
      \frac{x}{2} ¦ 1/2x
      e^{x+y} ¦ e^x e^y
      \ln(ab) ¦ \ln a+\ln b
      \alpha\beta ¦ βα
      3x^2y ¦ 3yx^2
      f(x)+1 ¦ 1+f(x)
      \frac{\pi r}{h+r} ¦ \frac{r\pi}{r+h}
      p^{2/3} ¦ \sqrt[3]{p^2}
    `),
    different: pairsOf(String.raw`
      x^2+2x+1 ¦ x^2+2x-1 ¦ (x-1)^2
      x ¦ y
      x+1 ¦ 1
      \sin 2x ¦ 2\sin x
      \sqrt{x^2} ¦ x
      f(x) ¦ f(y)
      n! ¦ (n-1)!
      a_n ¦ a_{n+1}
      x_1 ¦ x_2
      2^n ¦ n^2
      4^n ¦ 2^{n+2}
      x+10^{-30} ¦ x
      \frac{1}{x+y} ¦ \frac1x+\frac1y
    `),
  },
  "complex numbers": {
    equal: pairsOf(String.raw`
      3+4i ¦ 4i+3
      i ¦ \frac{1+i}{1-i}
      -1 ¦ i^2 ¦ e^{i\pi}
      2i ¦ \sqrt{-4}
      5 ¦ |3+4i|
      \frac{1}{2}+\frac{\sqrt3}{2}i ¦ e^{i\pi/3}
      1+i ¦ \sqrt2(\cos 45^\circ+i\sin 45^\circ)
      1 \pm 2i ¦ 1+2i, 1-2i
      3-4i ¦ \overline{3+4i}
    `),
    different: pairsOf(String.raw`
      3+4i ¦ 3-4i ¦ 4+3i ¦ 7
      i ¦ -i
    `),
  },
  "sets and lists": {
    equal: pairsOf(String.raw`
      \{1, 2, 3\} ¦ \{3, 2, 1\}
      1,2,3 ¦ 3, 2 and 1
      1, 2 ¦ \boxed{1} and \boxed{2} ¦ $1$ and $2$ ¦ \boxed{1 \text{ or } 2}
      \{5\} ¦ 5
      \frac{-3+\sqrt{29}}{2}, \frac{-3-\sqrt{29}}{2} ¦ \frac{-3\pm\sqrt{29}}{2}
      \pm 3 ¦ 3, -3 ¦ \{-3, 3\}
      x = \pm 3 ¦ \boxed{x = 3 \text{ or } x = -3}
      \pm\sqrt{2\pm\sqrt3} ¦ \pm\sqrt{2+\sqrt3},\pm\sqrt{2-\sqrt3}
      \emptyset ¦ \varnothing ¦ \{\} ¦ \text{no solution}
      (1,2),(3,4) ¦ (3,4), (1,2) ¦ \{(3,4),(1,2)\}
      \{\frac12, \sqrt2\} ¦ \{\frac{2}{\sqrt2}, 0.5\}
      2; 3 ¦ 2, 3
      -12;-11;-10 ¦ \{-12,-11,-10\}
      x=1, 2 ¦ \{1,2\}
    `),
    different: pairsOf(String.raw`
      \{1, 2, 3\} ¦ \{1, 2\} ¦ \{1, 2, 4\}
      \pm 3 ¦ 3 ¦ -3
      1, 2 ¦ 1
      1 ¦ 1, 2
      (1,2),(3,4) ¦ (2,1),(4,3) ¦ (1,2)
      1 \pm \sqrt{2} ¦ 1+\sqrt{2}
      \emptyset ¦ 0 ¦ \{0\}
    `),
  },
  tuples: {
    equal: pairsOf(String.raw`
      (1, 2) ¦ (1,2)
      (2, \frac{7}{2}) ¦ (2, 3.5)
      (x,y) = (3,2) ¦ (3,2)
      (3,2) ¦ x=3, y=2 ¦ \left(3, 2\right)
      (1,2,3) ¦ \langle 1,2,3 \rangle
      (1;2) ¦ (1,2)
      (\frac{4}{3}, -\frac{1}{3}) ¦ The point is $(4/3,-1/3)$.
      (7,6) ¦ The solution is (7, 6).
      A = (1,2) ¦ (1,2)
    `),
    different: pairsOf(String.raw`
      (1, 2) ¦ (2, 1) ¦ (1, 2, 3)
      (3,2) ¦ x=2, y=3
      (1,2) ¦ 3 ¦ [1,2]
    `),
  },
  intervals: {
    equal: pairsOf(String.raw`
      [0,1) ¦ [0, 1) ¦ \left[0,1\right) ¦ x \in [0,1) ¦ [0,1[
      (0,1) ¦ ]0,1[
      (-\infty, 2] ¦ (-\infty,2]
      (1, +\infty) ¦ (1,\infty)
      (-\infty,0)\cup(0,\infty) ¦ \mathbb{R}\setminus\{0\} ¦ (0,\infty) \cup (-\infty,0)
      [0,2] ¦ [0,1]\cup[1,2]
      [1,2] ¦ [0,2]\cap[1,3]
      \{-1\}\cup[0,7) ¦ [0,7)\cup\{-1\}
      \mathbb{R} ¦ (-\infty,\infty) ¦ ℝ
      [\frac{3}{5}, \frac{\sqrt2}{2}) ¦ \left[0.6, \frac{1}{\sqrt{2}}\right)
      [3, 151-98\sqrt{2}] ¦ [3,151 - 98\sqrt 2]
      [a, b) ¦ [a,b)
    `),
    different: pairsOf(String.raw`
      [0,1) ¦ [0,1] ¦ (0,1) ¦ [0,2)
      [-3,2] ¦ (-\infty,-3]\cup[2,\infty)
      (-\infty,0)\cup(0,\infty) ¦ \mathbb{R}
      [0,2] ¦ [0,1)\cup(1,2]
      [a,b) ¦ [a,b]
      [0,1] ¦ \{0,1\}
      (1,\infty) ¦ (-\infty,1)
    `),
  },
  "relations and inequalities": {
    equal: pairsOf(String.raw`
      x \le 5 ¦ 5 \ge x
      x \geq 5 ¦ x >= 5
      x < 1 ¦ -x > -1
      x < 3 ¦ 2x < 6
      x \ne 3 ¦ x \neq 3
      -3 \le x \le 8 ¦ x \in [-3, 8] ¦ [-3, 8]
      -614 < b < 25 ¦ (-614, 25)
      x > 2 ¦ (2, \infty)
      x^2 < 4 ¦ -2 < x < 2
      |x| < 2 ¦ -2 < x < 2
      |x-3| \le 5 ¦ -2 \le x \le 8
      x < -2 \text{ or } x > 5 ¦ (-\infty,-2)\cup(5,\infty)
      x > 2 \text{ and } x < 5 ¦ (2,5)
      1\le|z|\le\frac32 ¦ z\in[-\frac32,-1]\cup[1,\frac32]
      x^2 < 2 ¦ (-\sqrt2,\sqrt2)
      0<f(x)<3 ¦ (0,3)
      \{x \mid x > 2\} ¦ (2, \infty)
      3x+6y-5=0 ¦ y=-\frac12x+\frac56
      y=2x+1 ¦ 2x-y+1=0
      x^2+y^2=4 ¦ \frac{x^2}{4}+\frac{y^2}{4}=1
      (x-1)^2+(y-2)^2=4 ¦ x^2+y^2-2x-4y+1=0
      xy=1 ¦ y=\frac1x
      21x+38y-14z+90=0 ¦ -21x-38y+14z-90=0
      a<b ¦ b>a
      f(3)<f(2)<f(5) ¦ f(5)>f(2)>f(3)
    `),
    different: pairsOf(String.raw`
      x < 5 ¦ x > 5 ¦ x \le 5
      x \ge 5 ¦ x \le 5
      x > 2 ¦ (2, 3) ¦ [2, \infty) ¦ y > 2
      x^2 < 4 ¦ x < 2
      3x+6y-5=0 ¦ 3x+6y+5=0
      x^2+y^2=4 ¦ x^2+y^2=2
      y=2x+1 ¦ y=2x-1
      a+3z=0 ¦ 0
      9=13b+d ¦ 13b+d
      a<b ¦ a>b
    `),
  },
  assignments: {
    equal: pairsOf(String.raw`
      x = 5 ¦ 5 ¦ x=10/2 ¦ x = 2+3 = 5
      5 ¦ x = 5 ¦ 5 = x
      90 ¦ 100 - 10 = 90
      \frac13 ¦ x = \frac13 \approx 0.33
      14 ¦ x \approx 14
      f(x) = 2x+1 ¦ 2x+1
      2x+1 ¦ f(x)=2x+1
      f(x) = x+1 ¦ f(t) = t+1
      x=1, y=2 ¦ y=2, x=1 ¦ (1,2) ¦ \begin{cases}x=1\\y=2\end{cases}
      PQ=6, RS=9 ¦ 6, 9
      |AB| = 7 ¦ 7
      \frac{AB}{CD}=\frac12 ¦ \frac12
      x_1 = 2, x_2 = 3 ¦ 3, 2
      P(A) = \frac14 ¦ 0.25
      \text{Area} = 12\pi ¦ 12\pi
      p=3,q=8;p=4,q=8 ¦ (3,8),(4,8)
      k=38, n=3 ¦ \boxed{k=38} \quad \text{and} \quad \boxed{n=3}
      12 ¦ a^2+b^2 = 12
      n = 4, 6, 9 ¦ n=9, 6, 4
    `),
    different: pairsOf(String.raw`
      x = 5 ¦ y = 5 ¦ x = 6 ¦ x = 5y
      x=1, y=2 ¦ x=2, y=1
      PQ=6, RS=9 ¦ 9, 6
      f(x) = 2x+1 ¦ f(x) = 2x-1
      f(x) = x ¦ g(x) = x
      0 ¦ 2x+3y-5=0
    `),
  },
  matrices: {
    equal: pairsOf(String.raw`
      \begin{pmatrix}1&2\\3&4\end{pmatrix} ¦ \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}
      \begin{pmatrix}1&2\\3&4\end{pmatrix} ¦ \left[\begin{array}{cc}1&2\\3&4\end{array}\right]
      \begin{pmatrix}\frac12\\0.2\end{pmatrix} ¦ \begin{pmatrix}0.5\\\frac15\end{pmatrix}
      \begin{pmatrix}6&8\\10&12\end{pmatrix} ¦ \begin{pmatrix}1&2\\3&4\end{pmatrix}+\begin{pmatrix}5&6\\7&8\end{pmatrix}
      \begin{pmatrix}2&4\\6&8\end{pmatrix} ¦ 2\begin{pmatrix}1&2\\3&4\end{pmatrix}
      -2 ¦ \det\begin{pmatrix}1&2\\3&4\end{pmatrix} ¦ \begin{vmatrix}1&2\\3&4\end{vmatrix}
      \begin{pmatrix}1&3\\2&4\end{pmatrix} ¦ \begin{pmatrix}1&2\\3&4\end{pmatrix}^T
    `),
    different: pairsOf(String.raw`
      \begin{pmatrix}1&2\\3&4\end{pmatrix} ¦ \begin{pmatrix}1&2\\3&5\end{pmatrix}
      \begin{pmatrix}1&2\\3&4\end{pmatrix} ¦ 10
      \begin{pmatrix}1\\2\end{pmatrix} ¦ \begin{pmatrix}1&2\end{pmatrix}
    `),
  },
  units: {
    equal: pairsOf(String.raw`
      24 ¦ 24 \text{ cm}
      24\mbox{ cm}^2 ¦ \boxed{24}
      24 \text{ cm}^2 ¦ 24 square centimeters
      340 \text{ miles} ¦ 340 miles
      72 ¦ 72\text{ km/h}
      5 \text{ m} ¦ 500 \text{ cm}
      5.5 \text{ hours} ¦ 5\text{ hours }30\text{ minutes}
      20 \text{ m/s} ¦ 72 \text{ km/h}
      \$42 ¦ 42 dollars ¦ 42
      42 ¦ $42 ¦ €42
      36 ¦ 36\,\mathrm{cm} ¦ 36\text{ people}
      9 ¦ 9 \text{ m}^3
      1000 \text{ cm}^3 ¦ 1\text{ liter}
      12 ¦ 12 个
      10\,\frac{\text{m}}{\text{s}} ¦ 10
    `),
    different: pairsOf(String.raw`
      5 \text{ m} ¦ 5 \text{ cm} ¦ 5 \text{ kg}
      5 \text{ cm} ¦ 5 \text{ cm}^2
      24 \text{ cm} ¦ 25 \text{ cm}
      5 ¦ 5t
      \$42 ¦ \$43
    `),
  },
  "words and letters": {
    equal: pairsOf(String.raw`
      C ¦ \boxed{C} ¦ \boxed{\text{C}} ¦ \boxed{\text{(C)}} ¦ (C) ¦ The answer is C. ¦ The answer is (C).
      C ¦ \boxed{\textbf{(C)}\ 12}
      \text{(C)} ¦ C
      12 ¦ \boxed{\textbf{(C)}\ 12}
      \text{Marta} ¦ Marta
      Marta ¦ \boxed{\text{Marta}}
      odd ¦ \text{odd}
      Even ¦ \boxed{even}
      \text{Yes} ¦ \boxed{\text{yes}}
      \text{The points lie on a circle} ¦ \boxed{\text{The points lie on a circle}}
      DNE ¦ \text{does not exist}
    `),
    different: pairsOf(String.raw`
      C ¦ \boxed{D} ¦ The answer is D. ¦ \boxed{12}
      \text{Marta} ¦ \text{Jonas}
      \text{odd} ¦ \text{even}
      \text{Yes} ¦ \text{No}
      5 ¦ \text{five apples or so}
    `),
  },
  ratios: {
    equal: pairsOf(String.raw`
      7:32 ¦ 7/32 ¦ 14:64
      \frac{7}{32} ¦ 7:32
      S_{1}:S_{2}=7:32 ¦ 7:32
      12:00 ¦ 12:00
    `),
    different: pairsOf(String.raw`
      7:32 ¦ 32:7
      1:2:3 ¦ 1:3:2
      12:00 ¦ 1:00
      1:2 ¦ 1:2:3
    `),
  },
  "bases and residues": {
    equal: pairsOf(String.raw`
      204_5 ¦ 204_{5}
      3 \pmod 7 ¦ 10 \pmod{7}
      x \equiv 3 \pmod 7 ¦ x \equiv 3 \pmod{7}
      3 ¦ 3 \pmod 7
    `),
    different: pairsOf(String.raw`
      204_5 ¦ 205_5 ¦ 204_6
      3 \pmod 7 ¦ 4 \pmod 7 ¦ 3 \pmod 8
    `),
  },
  spelling: {
    equal: pairsOf(String.raw`
      \frac{1}{2} ¦ \\frac{1}{2} ¦ \frac {1} {2}
      \left(\frac12,3\right) ¦ \\left( \\frac{1}{2}, 3 \\right)
      x^2 ¦ x²
      x^{-1} ¦ x⁻¹
      x_1 ¦ x₁
      x \le 3 ¦ x ≤ 3
      2 \times 3 ¦ 2 × 3
      \infty ¦ ∞
      90^\circ ¦ ９０°
      x+1 ¦ x + 1 .
      10^{\frac{1}{2}} ¦ 10^\frac12
      x_{1}=2,\quad x_{2}=3 ¦ x_{1}=2,\quadx_{2}=3
      (2,3) ¦ （2，3）
      x^{10} ¦ x^10
      x^{1/2} ¦ x^(1/2)
      \sin(x) ¦ sin(x)
      \sqrt{x+1} ¦ sqrt(x+1)
      3x-y+13=0 ¦ 3*x-1*y+13=0
      \text{odd} ¦ $odd$
    `),
    different: [
      ["3x-y+13=0", "2*x+1*y+5=0"],
      ["x^{10}", "x^1"],
    ],
  },
  responses: {
    equal: pairsOf(String.raw`
      5 ¦ So we get $x+2 = 7$, hence $x = 5$. ¦ Thus the final answer is $5$. I hope it is correct.
      5 ¦ <think>maybe \boxed{4}? no, \boxed{5}</think> The answer is \boxed{5}.
      5 ¦ <think>is it \boxed{4}</think>⏎⏎**Answer:** 5 ¦ <answer>5</answer>
      5 ¦ <reasoning>6 or 7</reasoning><answer>\boxed{5}</answer> ¦ 所以答案为5。 ¦ $2+3=\boxed{5}$
      5 ¦ The area is 10 and the height is 5 ¦ \begin{align*} x &= 2+3 \\ &= \boxed{5} \end{align*}
      \frac{14}{9} ¦ The answer is \frac{14}{9}.
      x^2+1 ¦ The answer is x^2 + 1. ¦ Answer: $x^2+1$
      \sqrt{2} ¦ 故答案为 $\boxed{\sqrt{2}}$．
      12, 13 ¦ between $\boxed{12 $ and $13 }. $
      3/5 ¦ Probability: 3/5
      1000 ¦ In total $1{,}000$ ways.
      -3 ¦ x = -3 ¦ Therefore x=-3.
      6 ¦ I first wrote \boxed{5}. Wait, that is wrong, it is \boxed{6}
    `),
    different: pairsOf(String.raw`
      5 ¦ The answer is $6$, although 5 was close. ¦ \boxed{5} no, that was wrong: \boxed{6}
      5 ¦ <think>\boxed{5}</think> \boxed{6} ¦ Step 5: the answer is 6.
    `),
  },
  "competition answers": {
    equal: pairsOf(String.raw`
      \frac{1}{2} ¦ $$\boxed{\dfrac{1}{2}}$$
      2 ¦ The answer is: $\boxed{2}$
      3\sqrt{13} ¦ \boxed{3\sqrt{13}\text{ units}}
      \left[1, \frac{5}{3}\sqrt{7}\right) ¦ \boxed{\left[1,\dfrac{5\sqrt7}{3}\right)}
      \left[\frac{\sqrt{5}-1}{4},+\infty \right) ¦ $\left[ \frac{\sqrt5 - 1}{4}, \infty \right)$
      \left[\frac{\sqrt{5}-1}{4},+\infty \right) ¦ \boxed{m \in \left[\frac{\sqrt{5}-1}{4}, +\infty\right)}
      (-1, 1) ¦ \boxed{(-1,1)} ¦ $a \in (-1,1)$
      7^6 (3^{10} - 2^{10}) ¦ 7^6 \cdot 3^{10} - 7^6 \cdot 2^{10}
      3(\sqrt{10}+\sqrt{2}) ¦ 3\sqrt{10}+3\sqrt2
      -4 - \frac{8 \sqrt{5}}{3} ¦ -\frac{12+8\sqrt5}{3}
      8 \times 7^{1993} ¦ \boxed{8 \cdot 7^{1993}}
      \arccos \frac{5}{14} ¦ \cos^{-1}\left(\frac{5}{14}\right)
      \sqrt[4]{7} ¦ 7^{1/4} ¦ \sqrt{\sqrt{7}}
      \frac{\sqrt{7}\pi}{5} ¦ \frac{\pi\sqrt{7}}{5}
      18+6\sqrt{41} ¦ 6(3+\sqrt{41})
      \sqrt{31}-3 \sqrt{2} ¦ -3\sqrt{2}+\sqrt{31}
      \frac{7 \sqrt{29}}{29} ¦ \frac{7}{\sqrt{29}}
      118 ¦ \boxed{118}⏎⏎I verified this.
      1, 2 ¦ \boxed{1,2}
      \{1,2\} ¦ x=1 or x=2 ¦ $x = 1$ or $x = 2$
      x=1,x=2 ¦ \boxed{1, 2}
      (2,3) ¦ \boxed{x=2,\ y=3} ¦ \boxed{(x,y)=(2,3)}
      x^2-3x+2 ¦ \boxed{(x-1)(x-2)}
      y = x^2 ¦ \boxed{y=x^2} ¦ x^2
      A ¦ \boxed{\mathrm{A}}
      B ¦ (B) 12
      12 ¦ \boxed{12 \text{ cm}^2} ¦ \boxed{12\,\text{cm}} ¦ \boxed{12~\mathrm{cm}} ¦ \boxed{\text{12 cm}}
      12 ¦ \boxed{12 cm} ¦ \boxed{\$12} ¦ \boxed{12.} ¦ \boxed{12.0} ¦ \boxed{\frac{12}{1}}
      12 ¦ \boxed{n=12} ¦ \boxed{N = 3 \cdot 4 = 12} ¦ \boxed{\text{The answer is } 12} ¦ \boxed{The answer is 12}
      12 ¦ \boxed{12 \text{ (mod 13)}}
      \frac{2}{3} ¦ \boxed{2/3} ¦ \boxed{\frac{2}{3} \approx 0.667} ¦ \boxed{P = \frac{2}{3}}
      \frac{2}{3} ¦ \boxed{\dfrac{2}{3}\ \text{or}\ 0.666667}
      1+\sqrt{2} ¦ \boxed{\sqrt2+1}
      10\% ¦ 10 %
      45^\circ ¦ \boxed{\frac{\pi}{4}} ¦ \boxed{\angle A = 45^\circ}
      3:4 ¦ \boxed{3:4} ¦ \boxed{\frac34}
      \infty ¦ \boxed{+\infty}
      \mathbb{R} ¦ \boxed{\text{all real numbers}}
      x \in \mathbb{R} ¦ \boxed{(-\infty,\infty)}
      5x+3 ¦ \boxed{5x + 3} ¦ 3+5x
      \frac{x}{y} ¦ x/y
      \frac{a+b}{c} ¦ (a+b)/c
      \frac{1}{2}x^2 ¦ x^2/2
      \sqrt{x^2+y^2} ¦ \sqrt{y^2+x^2}
      a \cdot b ¦ ab
      2^{10} ¦ 1024
      3.0 ¦ 3
      10^6 ¦ 1{,}000{,}000
      1.5 ¦ 1\frac{1}{2} ¦ 1 \frac12
      -\frac{3}{2} ¦ -1\frac{1}{2} ¦ -1.5 ¦ -\left(\frac{3}{2}\right)
      \dfrac{1}{3}, \dfrac{2}{3} ¦ \boxed{\frac13} and \boxed{\frac23}
      i ¦ \boxed{i}
      1+i, 1-i ¦ \boxed{1 \pm i}
      -\frac12 \pm \frac{\sqrt3}{2}i ¦ \frac{-1\pm i\sqrt3}{2}
      e^{2\pi i/3} ¦ -\frac12+\frac{\sqrt3}{2}i
      \begin{pmatrix} 1 \\ 2 \end{pmatrix} ¦ \begin{bmatrix}1\\2\end{bmatrix}
      \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix} ¦ \boxed{\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}}
      (x-2)^2+(y+3)^2=25 ¦ $(x - 2)^2 + (y + 3)^2 = 25$
      y=3x-2 ¦ \boxed{y = 3x - 2}
      x\le 3 ¦ (-\infty, 3]
      2 < x \le 5 ¦ (2, 5]
      f(x)=2x ¦ \boxed{f(x) = 2x}
      f(x)=2x, f(x)=0 ¦ f(x)=0 \text{ and } f(x)=2x
      f(x)=0 \text{ or } f(x)=x^2 ¦ \boxed{f(x)=x^2 \text{ or } f(x)=0}
      n \equiv 1 \pmod{4} ¦ n\equiv 5 \pmod 4
      \ln 2 ¦ \log_e 2
      \tan 15^\circ ¦ 2-\sqrt3
      4\cos^2 x - 1 ¦ 1+2\cos 2x
      \frac{n(n-1)}{2} ¦ \binom{n}{2}
      \frac{1}{n+1}\binom{2n}{n} ¦ \binom{2n}{n}-\binom{2n}{n+1}
      2^n-1 ¦ \sum_{k=0}^{n-1}2^k
      \lfloor n^2/4 \rfloor ¦ \left\lfloor \frac{n^2}{4} \right\rfloor
      \frac{p-1}{2} ¦ (p-1)/2
      7\text{ and }11 ¦ 7, 11
      \text{9:30 a.m.} ¦ \boxed{9:30\text{ a.m.}}
      \frac{\pi}{2}+k\pi ¦ k\pi+\frac{\pi}{2}
      x=\frac{\pi}{4}+k\pi, k\in\mathbb{Z} ¦ x = \frac{\pi}{4} + k\pi,\ k \in \mathbb{Z}
    `),
    different: pairsOf(String.raw`
      \infty ¦ \boxed{-\infty} ¦ \boxed{1000000}
      \text{Monday} ¦ \boxed{\text{Tuesday}}
      12 ¦ \boxed{1.2} ¦ \boxed{-12} ¦ \boxed{12i} ¦ \boxed{12\pi} ¦ \boxed{12\%}
      12 ¦ \boxed{(12, 13)} ¦ \boxed{\{12, 13\}} ¦ \boxed{x > 12} ¦ \boxed{\sqrt{12}}
      12 ¦ \boxed{\frac{1}{12}}
      \frac{2}{3} ¦ \boxed{\frac{2}{3}\pi} ¦ \boxed{0.6}
      x^2 ¦ \boxed{x^3} ¦ \boxed{y^2}
      (1,2) ¦ \boxed{(1,2,3)}
      \{1,2\} ¦ \boxed{\{1,2,3\}}
      [0,1] ¦ \boxed{[0,1)}
      \sqrt{3} ¦ 3
      \pi ¦ 3
      e ¦ 2.7
      1+i ¦ 1-i
      \begin{pmatrix} 1 \\ 2 \end{pmatrix} ¦ \begin{pmatrix} 2 \\ 1 \end{pmatrix}
      0 ¦ \boxed{\emptyset}
      x = 2 ¦ x = -2
      45^\circ ¦ 135^\circ
    `),
  },
  "ways to write and to finish": {
    equal: [
      ...pairsOf(String.raw`
      5 ¦ 故选：5
      \frac{1}{2} ¦ 答案：$\frac{1}{2}$ ¦ 因此所求概率为 $\dfrac12$。
      12 ¦ 综上，共有12种方法。 ¦ 共有 $12$ 种
      (-1,1) ¦ 取值范围是 $(-1,1)$。 ¦ $\boxed{a\in(-1,1)}$
      \frac{1}{2} \text{ hour} ¦ 30 minutes
      5,-5 ¦ \boxed{\pm 5}
      \pm 5 ¦ \boxed{5 \text{ or } -5}
      (3,4) ¦ Therefore, $x = 3$ and $y = 4$.
      3,4 ¦ The solutions are $3$ and $4$. ¦ \boxed{3}, \boxed{4} ¦ \boxed{3\text{ and }4}
      f(x)=x ¦ \boxed{f(x)=x \text{ for all } x}
      2n+1 ¦ \boxed{a_n=2n+1}
      a_n = 2n+1 ¦ \boxed{2n+1}
      0.001 ¦ 10^{-3}
      \frac{\sqrt2}{2} ¦ \sqrt{2}/2
      -1<x<2 ¦ \boxed{\{x : -1 < x < 2\}}
      42 ¦ ### Final Answer⏎⏎$$\boxed{42}$$ ¦ ## Answer⏎⏎42
      42 ¦ so the total is 42 (since 6 times 7 is 42).
      \frac{3}{4} ¦ The probability is \frac{3}{4}. ¦ Hence the probability equals 3/4.
      2\sqrt{3} ¦ The length is 2\sqrt{3}. ¦ The answer is 2√3.
      x^2+1 ¦ So the polynomial is x^2+1
      \sqrt{5} ¦ Thus the answer is √5
      7 ¦ The answer is seven, i.e. 7.
      1/2 ¦ The answer is 1/2.
      50 ¦ The answer is $50. ¦ It costs $50. ¦ Total cost: $50.00
      1234.5 ¦ Total: $1,234.50
      16 ¦ \(\boxed{16}\) ¦ = 16 ¦ x+y = 16 ¦ $x+y=16$ ¦ "16" ¦ (16) ¦ \text{16}
      16 ¦ \mathrm{16} ¦ {16} ¦ \left(16\right) ¦ \boxed16 ¦ $\boxed{16}
      16 ¦ \boxed{\phantom{0}16} ¦ \boxed{\color{red}{16}}
      16 ¦ \boxed{16}\text{ units} ¦ \boxed{16\,} ¦ \boxed{16!/15!}
      16 ¦ \boxed{\sqrt{256}} ¦ \boxed{4^2} ¦ \boxed{4^{2}=16} ¦ \boxed{16\;\text{ways}} ¦ \boxed{16\mathrm{\ ways}}
      16 ¦ \boxed{16\text{ different ways}} ¦ \boxed{16 \text{ square units}} ¦ \boxed{\approx 16}
      16 ¦ \boxed{\text{Answer: }16}
      \frac{16}{9} ¦ \boxed{1\frac{7}{9}} ¦ \boxed{1.\overline{7}} ¦ \boxed{\left(\frac43\right)^2}
      \frac{16}{9} ¦ \boxed{\frac{16}{9}}.
      -2 ¦ \boxed{-2}\ .
      x=2,y=-1 ¦ \boxed{x=2, y=-1} ¦ \boxed{(2,-1)} ¦ \boxed{x = 2 \text{ and } y = -1} ¦ $x = 2$, $y = -1$
      \{2,3,5\} ¦ \boxed{2, 3, \text{ and } 5} ¦ \boxed{\{2,3,5\}} ¦ \boxed{2,3,5} ¦ \boxed{p = 2, 3, 5}
      \{2,3,5\} ¦ \boxed{p \in \{2,3,5\}}
      [1,3] ¦ \boxed{x \in [1, 3]} ¦ \boxed{[1,3]} ¦ 1 to 3, that is $[1,3]$
      (0,\infty) ¦ \boxed{(0,+\infty)} ¦ \boxed{\mathbb{R}^+} ¦ \boxed{\mathbb{R}_{>0}}
      3+2\sqrt{2} ¦ \boxed{(1+\sqrt2)^2} ¦ 5.828427125
      2\ln 2 - 1 ¦ \ln 4 - 1
      \frac{\pi}{4} - \frac{1}{2}\ln 2 ¦ \frac{\pi - 2\ln 2}{4}
      \frac{e^2-1}{2} ¦ \frac{1}{2}(e^{2}-1)
      e^{-1} ¦ 1/e
      \sqrt{e} ¦ e^{1/2}
      \frac{1}{\pi} ¦ \pi^{-1}
      \cos 36^\circ ¦ \frac{1+\sqrt5}{4}
      \sin^2 x ¦ 1-\cos^2 x ¦ (\sin x)^2
      \tan x ¦ \frac{\sin x}{\cos x}
      \sinh x ¦ \frac{e^x-e^{-x}}{2}
      x^{3/2} ¦ x\sqrt{x}
      |x| ¦ \sqrt{x^2}
      \log x^2 ¦ \log (x^2)
      \frac{a}{b}+\frac{c}{d} ¦ \frac{ad+bc}{bd}
      n^2(n+1)^2/4 ¦ \left(\frac{n(n+1)}{2}\right)^2
      \binom{n}{k} ¦ \frac{n!}{k!(n-k)!}
      _5C_2 ¦ 10
      C(5,2) ¦ 10
      5! = 120 ¦ 120
      1\,000\,000 ¦ 10^6
      3 \cdot 10^8 \text{ m/s} ¦ 3 \times 10^{8}
      \text{Saturday} ¦ It is Saturday. ¦ The answer is Saturday.
      True ¦ The answer is true.
      101_2 ¦ \boxed{101_2} ¦ \boxed{101_{2}}
      \frac{x^2}{9}+\frac{y^2}{4}=1 ¦ 4x^2+9y^2=36
      y-1=2(x-3) ¦ y=2x-5
      \overrightarrow{AB}=(1,2) ¦ (1,2)
      \vec{v} = \langle 1,2 \rangle ¦ (1,2)
      A=\begin{pmatrix}1&0\\0&1\end{pmatrix} ¦ \begin{pmatrix}1&0\\0&1\end{pmatrix}
      x=0,1,2 ¦ \{0,1,2\}
      0\le x<2\pi ¦ [0,2\pi)
      x\ge 0 ¦ [0,\infty)
      x \notin \{1,2\} ¦ \mathbb{R}\setminus\{1,2\}
      m<-2 \text{ or } m>2 ¦ |m|>2
      k \leq -1 ¦ k \in (-\infty, -1]
      \{(1,2),(2,1)\} ¦ (2,1) and (1,2)
      (a,b)=(1,2),(2,1) ¦ \{(1,2),(2,1)\}
      -i ¦ \frac{1}{i}
      \frac{1}{2}-\frac{i}{2} ¦ \frac{1-i}{2}
      \text{cis} 60^\circ ¦ \text{cis} 60^\circ
      2\text{ cis }60^\circ ¦ 1+\sqrt{3}i
    `),
      ["16", "`16`"],
    ],
    different: pairsOf(String.raw`
      3+2\sqrt{2} ¦ 5.83
      |x| ¦ x
      2k+1 ¦ 2k-1 ¦ 2n+1
      \text{blue} ¦ The final answer is red
      y-1=2(x-3) ¦ y=2x+5
    `),
  },
  "names, labels and conditions": {
    equal: pairsOf(String.raw`
      (1000,2000) ¦ (1,000, 2,000)
      1234.56 ¦ Die Antwort ist 1.234,56
      \text{Area} = 5 ¦ A = 5
      \mathbb{Z} ¦ \text{all integers}
      \frac{x^2}{4}+y^2=1 ¦ C: \frac{x^2}{4}+y^2=1
      x-2y+3=0 ¦ \boxed{l: x - 2y + 3 = 0}
      2n ¦ \boxed{2n \ (n \ge 1)}
      a_n=2n ¦ \boxed{a_n = 2n \, (n \in \mathbb{N}^*)}
      (2,3) ¦ \boxed{P(2,3)} ¦ A(2, 3)
      (-1,0) ¦ \boxed{F_1(-1,0)}
      3 ¦ 10 \mod 7 = 3
      7 ¦ $= 7$ ¦ $\Rightarrow x = 7$
      \frac{1}{4} ¦ $$P = \frac{\text{favorable}}{\text{total}} = \frac{1}{4}$$ ¦ $P(\text{win}) = \frac{1}{4}$
      25 ¦ $\text{Total} = 10 + 15 = 25$ ¦ $\text{Total cost} = 5 \times \$5 = \$25$
      6 ¦ $|\{1,2,3,4,5,6\}| = 6$
      13 ¦ $\lfloor 13.7 \rfloor = 13$
      0.5 ¦ $P(X>1) = 0.5$ ¦ $\Pr[X>1] = 0.5$
      4 ¦ $\mathbb{E}[X] = 4$ ¦ $E(X)=4$
      12 ¦ $[ABC] = 12$ ¦ $\text{Area}(ABC) = 12$ ¦ $S_{\triangle ABC} = 12$ ¦ $\triangle ABC$ has area $12$.
      60^\circ ¦ $\angle BAC = 60^\circ$ ¦ $m\angle BAC = 60^\circ$
      5 ¦ $d(A,B) = 5$ ¦ $\overline{AB} = 5$ ¦ $|\vec{v}| = 5$ ¦ $\|v\| = 5$ ¦ $\sqrt{3^2+4^2}=\sqrt{25}=5$
      5 ¦ $a = b = 5$
      10 ¦ $\binom{5}{2}=10$
      2^{n}-1 ¦ $S_n = 2^n - 1$
      f(x)=x^2 ¦ $f(x) = x^2$ for all real $x$
      x^2+x+1 ¦ $P(x) = x^2 + x + 1$
      25\% ¦ one quarter, that is 25%
      1 ¦ $\boxed{1}$. ¦ |e^{i\theta}|
      \sqrt[3]{2} ¦ \boxed{\sqrt [3] {2}} ¦ \boxed{2^{\frac{1}{3}}} ¦ \boxed{2^{1/3}} ¦ \boxed{\sqrt[3]2} ¦ ∛2
      \frac{a^2+b^2}{2ab} ¦ \boxed{\frac{1}{2}\left(\frac{a}{b}+\frac{b}{a}\right)}
      \frac{1-x^{n+1}}{1-x} ¦ \boxed{\frac{x^{n+1}-1}{x-1}}
      n\cdot n! ¦ (n+1)! - n!
      2^{99} ¦ \boxed{2^{100}/2}
      \frac{2^{2024}-1}{3} ¦ \frac{4^{1012}-1}{3}
      \frac{\sqrt{3}}{2} + \frac{1}{2}i ¦ \cos 30^\circ + i \sin 30^\circ
      -8 ¦ (1+i\sqrt{3})^3
      \{-1, \frac12 \pm \frac{\sqrt3}{2} i\} ¦ -1, \frac{1+i\sqrt3}{2}, \frac{1-i\sqrt3}{2}
      (1,2,3) ¦ \boxed{\left(1,2,3\right)} ¦ \boxed{a=1, b=2, c=3} ¦ (a,b,c)=(1,2,3)
      (0,0),(1,1) ¦ \boxed{(0,0)\text{ and }(1,1)} ¦ (x,y)=(0,0)\text{ or }(1,1)
      \left(\frac12,\frac{\sqrt3}{2}\right) ¦ (0.5, \frac{\sqrt{3}}{2})
      y=\frac{1}{2}x+1 ¦ x - 2y + 2 = 0
      \frac{x-1}{2}=\frac{y+1}{3} ¦ 3x-2y-5=0
      a>1 ¦ (1,+\infty) ¦ a \in (1,+\infty)
      a \ge 1 ¦ [1,+\infty)
      a\le -1 \text{ or } a \ge 1 ¦ (-\infty,-1]\cup[1,+\infty)
      a\ne 0 ¦ (-\infty,0)\cup(0,+\infty)
      (-\infty,-1]\cup[1,+\infty) ¦ \mathbb{R}\setminus(-1,1)
      \{x \mid x<1\} ¦ \{x \mid x<1\}
      \{x|x<1\} ¦ (-\infty,1)
      \{x|1<x<2\} ¦ (1,2)
      \{0\} ¦ \{0\}
    `),
    different: pairsOf(String.raw`
      \frac{2^{2024}-1}{3} ¦ \frac{4^{1012}+1}{3}
      \{0\} ¦ \{1\}
      \{x|x<1\} ¦ \{x|x>1\}
      a>1 ¦ a\ge1
      (1,2,3) ¦ (1,3,2)
      y=\frac{1}{2}x+1 ¦ x-2y-2=0
      n\cdot n! ¦ (n+1)!
      \frac{1}{3} ¦ 33\%
      5 ¦ $a+b+c$ ¦ $a+b = 6$
      12 ¦ $[ABC] = 13$
      1 ¦ I
    `),
  },
  "near misses": {
    equal: pairsOf(String.raw`
      0.\overline{9} ¦ 1
      0.9999999 ¦ 1
      -2^2 ¦ -4
      (-2)^2 ¦ 4
      {2^3}^2 ¦ 64
      6/2(1+2) ¦ 9
      2-3-4 ¦ -5
      2+3\times4 ¦ 14
      -x^2 ¦ -(x^2)
      \frac{1}{2}^2 ¦ \frac14
      3!^2 ¦ 36
      \sqrt{4}^2 ¦ 4
      |{-3}| ¦ 3
      |-3||-2| ¦ 6
      |x||y| ¦ |xy|
      2|x| ¦ |2x|
      \left|\frac{-1}{2}\right| ¦ 0.5
    `),
    different: pairsOf(String.raw`
      5 ¦ \boxed{\text{5 or 6}} ¦ 5 or 6 ¦ \boxed{5, 6}
      5, 6 ¦ \boxed{5}
      2 ¦ \boxed{\pm 2}
      \pm 2 ¦ \boxed{2}
      x^2 ¦ \boxed{2x}
      (1,2) ¦ \boxed{(2,1)}
      \{(1,2)\} ¦ \boxed{\{(2,1)\}}
      [1,2] ¦ \boxed{(1,2)}
      3.14 ¦ \pi
      \frac{22}{7} ¦ \pi
      0.33 ¦ \frac{1}{3}
      0.67 ¦ \frac23
      10^{-10} ¦ 10^{-11} ¦ 0
      \sqrt{2} ¦ 1.414
      e^{\pi} ¦ \pi^{e} ¦ 23.14
      \ln 10 ¦ \log_{10} e
      \sin 1 ¦ \sin 1^\circ
      \sin x ¦ \cos x ¦ -\sin x
      \sin^2 x ¦ \sin x^2
      \sin(x+y) ¦ \sin x+\sin y
      (x+y)^2 ¦ x^2+y^2
      \sqrt{x+y} ¦ \sqrt{x}+\sqrt{y}
      \frac{1}{x}+\frac{1}{y} ¦ \frac{1}{x+y}
      2^{x+y} ¦ 2^x+2^y
      \log(x+y) ¦ \log x+\log y
      n! ¦ n^n
      \binom{n}{2} ¦ \binom{n}{3}
      n(n+1)/2 ¦ n(n-1)/2
      a+b ¦ ab
      a-b ¦ b-a
      a/b ¦ b/a
      |x| ¦ -x
      \lfloor x \rfloor ¦ \lceil x \rceil
      x \bmod 7 ¦ x \bmod 8
      \max(a,b) ¦ \min(a,b)
      \begin{pmatrix}1&2\end{pmatrix} ¦ \begin{pmatrix}2&1\end{pmatrix}
      y=x ¦ y=-x
      y=x^2 ¦ y^2=x
      x<y ¦ y<x
      1<x<2 ¦ 1\le x\le 2 ¦ (1,3)
      (-\infty,1)\cup(2,\infty) ¦ (1,2)
      \mathbb{R} ¦ \mathbb{Z}
      \mathbb{R}\setminus\{1\} ¦ \mathbb{R}\setminus\{2\}
      \emptyset ¦ \mathbb{R}
      \{1,2,3\} ¦ \{1,2\} ¦ 6
      1,2,3 ¦ 123
      12 ¦ 1,2
      1,200 ¦ 1.200
      \$5 ¦ €5
      90^\circ ¦ \pi ¦ 90\pi
      2:3 ¦ 0.6
      3 \pmod{5} ¦ 4 \pmod{5}
      A ¦ C
      \text{yes} ¦ \text{no}
      \text{cat} ¦ \text{dog}
      \text{increasing} ¦ \text{decreasing}
      |z|=1 ¦ z=1
      \overline{z} ¦ z
      f(x) ¦ g(x)
      f'(x) ¦ f(x)
      a_{n} ¦ a_{n-1}
      \alpha ¦ \beta
      x' ¦ x
      \frac{2^{1000}+1}{2^{1000}} ¦ 1
      \sqrt{10^{100}+1} ¦ 10^{50}
      \sin(10^{-30}) ¦ 10^{-30}
      \cos(10^{-30}) ¦ 1
      e^{10^{-40}} ¦ 1
      \ln(1+10^{-40}) ¦ 10^{-40}
      \sqrt{2}+\sqrt{3}+\sqrt{5} ¦ \sqrt{2}+\sqrt{3}+\sqrt{6}
      \frac{1+\sqrt{5}}{2} ¦ \frac{1-\sqrt{5}}{2}
      2^{\sqrt2} ¦ 2.6651
      5^2 ¦ 2^5
      5!! ¦ 5!
      -2^2 ¦ (-2)^2
    `),
  },
  "words around values": {
    equal: pairsOf(String.raw`
      \text{at least } 5 ¦ \boxed{\text{at least } 5}
      5 ¦ \boxed{\text{approximately } 5} ¦ \boxed{5 \text{ for } n = 1, 2} ¦ \boxed{There are 5 such numbers}
      n^2 ¦ \boxed{n^2 \text{ for all } n \ge 1}
      \begin{cases} 5 & n \text{ even} \\ 6 & n \text{ odd}\end{cases} ¦ \begin{cases} 5, & n \text{ even} \\ 6, & n \text{ odd}\end{cases}
      \begin{cases} x & x\ge0 \\ -x & x<0\end{cases} ¦ \begin{cases} x & \text{if } x\ge0 \\ -x & \text{if } x<0\end{cases}
      6 ¦ \boxed{\text{Six} = 6}
      10 ¦ 10 ways ¦ 10 (ten)
      4x^3 ¦ \frac{d}{dx}x^4 = 4x^3
      \frac{1}{2} ¦ \int_0^1 x\,dx = \frac12
      2 ¦ \sum_{n=0}^{\infty} \frac{1}{2^n} = 2
      1 ¦ \lim_{x\to0}\frac{\sin x}{x}=1
      \sum_{k=1}^{n}\frac{1}{k} ¦ \sum_{j=1}^{n}\frac{1}{j}
      3x ¦ 3\cdot x ¦ 3*x
      x\cdot y ¦ x*y
      x^2 ¦ x**2
      \frac{x}{2} ¦ x/2
      2x+1 ¦ 2*x + 1
      \sqrt{x} ¦ sqrt(x)
      \sin(x) ¦ sin x
      \pi r^2 ¦ pi*r^2
      e^{x} ¦ exp(x)
      \{1,2\} ¦ {1, 2}
      \infty ¦ infinity
      \theta ¦ θ ¦ theta
    `),
    different: pairsOf(String.raw`
      5 ¦ \boxed{\text{at least } 5}
      5 ¦ \boxed{5 apples and 6 oranges}
      \begin{cases} 5 & n \text{ even} \\ 6 & n \text{ odd}\end{cases} ¦ \begin{cases} 6, & n \text{ even} \\ 5, & n \text{ odd}\end{cases}
    `),
  },
  "endings of responses": {
    equal: pairsOf(String.raw`
      \frac{3}{4} ¦ The answer is: ⏎⏎$$x = \frac{3}{4}$$
      B ¦ Hence, the answer is (B) 12.
      12 ¦ Hence, the answer is (B) 12. ¦ So the answer would be 12. Let me double-check: 3*4=12. Yes.
      C ¦ Answer: $\text{C}$
      3.14 ¦ x ≈ 3.14
      93 ¦ Final Answer: \boxed{93}⏎⏎Note that 617 is not valid.
      2^{1984} ¦ So there are $2^{1984}$ such sequences, i.e., \boxed{2^{1984}}.
      \frac{1}{2345432} ¦ \boxed{\frac{1}{2,345,432}}
      5\sqrt{21}-17 ¦ $$\boxed{5\sqrt{21} - 17}$$
      \left[ -\frac{3}{16}, \frac{3}{16} \right] ¦ \boxed{\left[-\frac3{16},\frac3{16}\right]} ¦ \boxed{[-3/16, 3/16]}
      \left[ -\frac{3}{16}, \frac{3}{16} \right] ¦ \boxed{[-0.1875, 0.1875]}
      \pi -\arccos \frac{2}{9} ¦ \boxed{\pi - \arccos\left(\frac{2}{9}\right)} ¦ \boxed{\arccos(-2/9)}
      7\times 3^{1986}-9\times 2^{1986}+4 ¦ \boxed{7 \cdot 3^{1986} - 9 \cdot 2^{1986} + 4}
      \frac{5^{1987} + 5}{6} ¦ \boxed{\dfrac{5^{1987}+5}{6}}
      \sqrt{1+\frac{\sqrt{10}}{5}} ¦ \boxed{\sqrt{\frac{5+\sqrt{10}}{5}}}
      \frac{17\sqrt{5}+13}{6} ¦ \boxed{\frac{13 + 17\sqrt{5}}{6}}
      \frac{-3+\sqrt{29}}{2}, \frac{-3-\sqrt{29}}{2} ¦ $x=\boxed{\frac{-3 \pm \sqrt{29}}{2}}$
      \frac{-3+\sqrt{29}}{2}, \frac{-3-\sqrt{29}}{2} ¦ \boxed{\frac{\sqrt{29}-3}{2}, -\frac{3+\sqrt{29}}{2}}
      5400 ¦ The number is 5,400.
      0.92 ¦ \boxed{0.92}
      35^{\circ} ¦ The angle is 35°.
      7^6 (3^{10} - 2^{10}) ¦ \boxed{117649(3^{10}-2^{10})}
      150\sqrt{14}+9085 ¦ \boxed{9085+150\sqrt{14}}
      \left[3, 151-98\sqrt{2}\right] ¦ \boxed{[3,\,151 - 98\sqrt{2}]}
      (-1, 1) ¦ \boxed{\left(-1,1\right)}
      -\frac{6\sqrt{5}}{5} ¦ \boxed{-\frac{6}{\sqrt{5}}}
      3\sqrt{2}-2 ¦ \boxed{3\sqrt{2} - 2 \approx 2.243}
    `),
    different: [
      ["\\frac{-3+\\sqrt{29}}{2}, \\frac{-3-\\sqrt{29}}{2}", "\\boxed{\\frac{-3+\\sqrt{29}}{2}}"],
      ["0.92", "\\boxed{0.93}"],
      ["604918273", "\\boxed{604918373}"],
    ],
  },
  "dots in lists, times of day, products of units": {
    equal: pairsOf(String.raw`
      \{1,2,\ldots,10\} ¦ \boxed{\{1,2,3,\dots,10\}}
      \{1,2,\ldots,n\} ¦ \boxed{\{1,2,3,\ldots,n\}}
      \{2,4,6,\ldots\} ¦ \boxed{\{2,4,6,8,\ldots\}}
      1,3,5,\ldots,99 ¦ \boxed{1,3,5,7,\ldots,99}
      3:45 \text{ p.m.} ¦ \boxed{3:45 \text{ PM}}
      3:45 p.m. ¦ The answer is 3:45 PM.
      5 \text{ m/s} ¦ \boxed{5\ \text{m s}^{-1}}
      9.8 \text{ m/s}^2 ¦ \boxed{9.8\,\mathrm{m\,s^{-2}}}
      36 km/h ¦ \boxed{10 \text{ m s}^{-1}}
      1 \text{ L} ¦ \boxed{1000 \text{ cm}^3}
    `),
    different: pairsOf(String.raw`
      \{1,2,\ldots,10\} ¦ \boxed{\{1,2,3,\dots,11\}}
      3:45 p.m. ¦ \boxed{3:45 \text{ am}} ¦ \boxed{3:46 \text{ pm}}
      9.8 \text{ m/s}^2 ¦ \boxed{9.8 \text{ m s}^{-1}}
    `),
  },
};
