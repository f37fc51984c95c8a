// Intervals, orders, and functions at constants.
import { type Pairs, pairs } from "./pairs.ts";

export const table: Readonly<Record<string, Pairs>> = {
  intervals: {
    paid: pairs(String.raw`
      (1, 4] ¦ 1 < x \le 4 ¦ \{x \mid 1 < x \leq 4\} ¦ \left(1, 4\right] ¦ ]1, 4] ¦ x \in (1, 4]
      [1, 4) ¦ [1, 4[
      [0, \infty) ¦ x \ge 0 ¦ [0, +\infty) ¦ \{x \in \mathbb{R} : x \geq 0\}
      (-\infty, 2) \cup (2, \infty) ¦ x \neq 2 ¦ \mathbb{R} \setminus \{2\}
      (-\infty, -1) \cup (1, \infty) ¦ |x| > 1
      (-1, 1) ¦ |x| < 1
      [-1, 1] ¦ x^2 \le 1
      [0,1] \cup [2,3] ¦ [2,3] \cup [0,1]
      [0,1] \cup [1,2] ¦ [0,2]
      (0, \frac12) ¦ (0, 0.5)
      \{2\} \cup [3, 4] ¦ x = 2 or 3 \le x \le 4
      (-\infty, 0] ¦ x \le 0
      (a, b) ¦ (a, b)
      [\sqrt2, 2] ¦ \sqrt{2} \le x \le 2
      (0, 1) ¦ 0 < t < 1
      -3 < m < 5 ¦ (-3, 5)
      m \le -3 \text{ or } m \ge 5 ¦ (-\infty, -3] \cup [5, +\infty)
      k \in [0, 4) ¦ 0 \le k < 4
      (2, 5) ¦ 区间 $(2,5)$
    `),
    unpaid: pairs(String.raw`
      (1, 4] ¦ [1, 4] ¦ (1, 4) ¦ (1, 5] ¦ (-1, 4] ¦ 1 < x < 4 ¦ 1 \le x \le 4 ¦ x \le 4
      (1, 4] ¦ x > 1 ¦ \{1, 4\} ¦ 4 ¦ (1, 4] \cup \{5\} ¦ (1, 2] \cup [3, 4]
      (1, 4] ¦ (1, 2) \cup (2, 4] ¦ \mathbb{Z} \cap (1, 4] ¦ (1, 4], (5, 6] ¦ not in (1, 4] ¦ x \notin (1, 4]
      (1, 4] ¦ outside (1, 4] ¦ the complement of (1, 4] ¦ a subset of (1, 4] ¦ \mathbb{R} \setminus (1, 4]
      (1, 4] ¦ integers in (1, 4] ¦ the integers in $(1, 4]$ ¦ the length of (1, 4] ¦ (1, 4] \times (1, 4] ¦ (1, 4]^2
      (1, 4] ¦ -(1, 4] ¦ x^2 \in (1, 4] ¦ |x| \in (1, 4] ¦ 1 < |x| \le 4 ¦ 1 < x^2 \le 4 ¦ 1 < 2x \le 4
      (1, 4] ¦ 1 > x \ge 4 ¦ x < 1 or x \ge 4
      [0, \infty) ¦ (0, \infty) ¦ [0, 1) ¦ (-\infty, 0] ¦ [0, -\infty) ¦ x > 0 ¦ 0 ¦ \{0\}
      [0, \infty) ¦ \{0, 1, 2, \ldots\} ¦ \mathbb{N} ¦ x = 0
      (-\infty, 2) \cup (2, \infty) ¦ \mathbb{R} ¦ (-\infty, 2) \cup [2, \infty) ¦ (-\infty, 3) \cup (3, \infty)
      (-\infty, 2) \cup (2, \infty) ¦ (-\infty, 2), (3, \infty) ¦ (-\infty, 2) \cap (2, \infty)
      (-\infty, 2) \cup (2, \infty) ¦ (-\infty, -2) \cup (2, \infty) ¦ x = 2 ¦ 2
      (-1, 1) ¦ |x| \le 1 ¦ |x| > 1 ¦ x < 1 ¦ (1, -1) ¦ \pm 1 ¦ \{-1, 1\} ¦ [-1, 1] ¦ (-1, 0) \cup (0, 1)
      [0,1] \cup [2,3] ¦ [0,1] \cup [2,4] ¦ [0,1] \cup (2,3] ¦ [0,1] \cap [2,3]
      [0,1] \times [2,3] ¦ [2,3] \times [0,1] ¦ [0,1] \cup [2,3]
      [0,1]^2 ¦ [0,1] ¦ [0,1]^3
      (0, \frac12) ¦ (0, \frac13) ¦ (0, -\frac12)
      (0, \frac12] ¦ (0, 0.5)
      (a, b) ¦ (a, c)
      (a, b] ¦ [a, b]
      [\sqrt2, 2] ¦ [\sqrt3, 2] ¦ [1.41, 2]
      [\frac13, 1] ¦ [0.33, 1]
      [\pi, 4] ¦ [3.14, 4]
      -3 < m < 5 ¦ -3 < m \le 5 ¦ -5 < m < 3 ¦ m < 5 ¦ -3 < m < 5, m \ne 0 ¦ -3 < m, 5
      -3 < m < 5 and m \ne 0 ¦ -3 < m < 5
      -3 < m < 5, m \neq 1 ¦ -3 < m < 5, m \neq 2 ¦ (-3, 5)
      m \le -3 \text{ or } m \ge 5 ¦ -3 \le m \le 5 ¦ m \le -3 ¦ m < -3 \text{ or } m > 5
      m \le -3 \text{ or } m \ge 5 ¦ m \le -3 \text{ and } m \ge 5
      \{x \mid x < 3\} ¦ \{x \mid x \le 3\} ¦ \{x \mid x > 3\} ¦ \{3\} ¦ \{x < 3, x \in \mathbb{N}\}
      \{x \mid x < 3\} ¦ \{x \in \mathbb{Z} \mid x < 3\}
      \{x \mid x = 2k, k \in \mathbb{Z}\} ¦ \{x \mid x = 2k+1, k \in \mathbb{Z}\} ¦ \{x \mid x = 2k, k \in \mathbb{N}\}
      \{x \mid x = 2k, k \in \mathbb{Z}\} ¦ \{x \mid x = 4k, k \in \mathbb{Z}\}
      (2k\pi, 2k\pi+\pi) ¦ (k\pi, k\pi+\pi)
      (2k\pi, 2k\pi+\pi), k \in \mathbb{Z} ¦ (2k\pi, 2k\pi+2\pi), k \in \mathbb{Z}
      [k\pi - \frac{\pi}{3}, k\pi + \frac{\pi}{6}], k \in \mathbb{Z} ¦ [k\pi - \frac{\pi}{6}, k\pi + \frac{\pi}{3}], k \in \mathbb{Z}
      [1, 2) \cup (2, 3] ¦ [1, 3] ¦ [1, 2) \cup (2, 3) ¦ 1 \le x \le 3
      [1,2],[3,4] ¦ [1,2],[3,5] ¦ [1,4]
      decreasing on (0,1) ¦ increasing on (0,1)
      decreasing on $(0,1)$ ¦ decreasing on $(0,2)$ ¦ (0,1)... increasing
      increasing on $(0,1)$, decreasing on $(1,2)$ ¦ increasing on $(1,2)$, decreasing on $(0,1)$ ¦ (0,1)
      the open interval from 1 to 4 ¦ [1,4]
      the interval (1,4) ¦ the interval (1,5)
      from 1 to 4 ¦ from 1 to 5
      between 1 and 4 ¦ between 1 and 5 ¦ 1 and 4 ¦ 4
      between 1 and 4 inclusive ¦ (1, 4)
      x between 1 and 4 exclusive ¦ [1, 4]
      1-4 ¦ 1-5
      [2, 2] ¦ (2, 2)
      (2, 2) ¦ 2
      \{2\} ¦ (2, 2)
    `),
  },
  orders: {
    paid: pairs(String.raw`
      a < b < c ¦ c > b > a ¦ $a<b<c$
      a<b<c ¦ \boxed{a < b < c}
      (2, 1, 3) ¦ (2,1,3)
      2, 5, 7 ¦ 7, 5, 2
      x = 2 or x = 5 ¦ x = 5 or x = 2
      (1,2), (2,1) ¦ (2,1), (1,2)
      \{5, 2\} ¦ \{2, 5\}
      x=1, y=2 ¦ y=2, x=1
      (x, y) = (1, 2) ¦ x = 1, y = 2
      f(1) < f(2) ¦ f(2) > f(1)
      2:3 ¦ 4:6
      A, B, C ¦ A, B, C
      1 < 2 < x ¦ x > 2
      a > b ¦ b < a
    `),
    unpaid: pairs(String.raw`
      a < b < c ¦ a < c < b ¦ a \le b < c ¦ a < b
      a < b < c ¦ a < b, c ¦ a, b, c ¦ a < b < d ¦ a = b < c ¦ (a, b, c) ¦ -a < -b < -c
      a < b < c ¦ a^2 < b^2 < c^2
      a > b ¦ a < b ¦ a \ge b ¦ a = b ¦ a - b ¦ b > a
      a = b ¦ a > b ¦ a = c
      a = b = c ¦ a = b
      P, Q, R ¦ P, R, Q, S
      x_1 < x_2 < x_3 ¦ x_2 < x_1 < x_3
      S_1 > S_2 ¦ S_2 > S_1
      f(1) < f(2) < f(3) ¦ f(1) < f(3) < f(2) ¦ f(3) < f(2) < f(1) ¦ f(1) < f(2) ¦ f(1) < f(2) < f(4)
      f(-2) < f(1) < f(3) ¦ f(2) < f(1) < f(3)
      f(\pi) > f(-3) > f(-2) ¦ f(\pi) > f(-2) > f(-3)
      f(\sqrt2) > f(1) ¦ f(\sqrt3) > f(1)
      \log_2 3 > \log_3 2 ¦ \log_2 3 < \log_3 2
      2^{0.3} > 0.3^2 > \log_2 0.3 ¦ 0.3^2 > 2^{0.3} > \log_2 0.3
      \sin 1 < \sin 2 ¦ \sin 2 < \sin 1 ¦ \sin 1 < \sin 3
      \pi > 3 ¦ \pi > 2 ¦ \pi < 3
      2 < 3 ¦ 2 < 4 ¦ 3 < 2
      \frac12 > \frac13 ¦ \frac12 > \frac14
      \sqrt2 < \sqrt3 < 2 ¦ \sqrt3 < \sqrt2 < 2
      (2, 1, 3) ¦ (1, 2, 3) ¦ (2, 1) ¦ 1, 2, 3 ¦ \{1, 2, 3\}
      (2, 1) ¦ 2 > 1 ¦ x = 1, y = 2 ¦ \frac{2}{1} ¦ 2:1 ¦ 2.1
      (x, y) = (2, 1) ¦ (y, x) = (2, 1) ¦ x = 1, y = 2 ¦ (x, y) = (1, 2)
      x=2, y=1 ¦ x=1, y=2 ¦ 1, 2 ¦ (1, 2) ¦ x=2
      x=2, y=1, z=0 ¦ x=2, y=1
      a=3, b=4 ¦ a+b=7 ¦ c=3, d=4
      (1,2), (3,4) ¦ (1,3), (2,4) ¦ (1,2,3,4) ¦ (1,2) ¦ (1,2), (3,4), (5,6)
      (1,2) \to (3,4) ¦ (3,4) \to (1,2)
      A \to B \to C ¦ A \to C \to B
      ABC ¦ ACB
      2:3 ¦ 3:2 ¦ 2:3:4
      2:3:4 ¦ 24
      3 : 1 ¦ 1 : 3
      \begin{pmatrix}1&2\\3&4\end{pmatrix} ¦ \begin{pmatrix}1&3\\2&4\end{pmatrix}
      \begin{pmatrix}1&2\\3&4\end{pmatrix} ¦ \begin{pmatrix}1&2&3&4\end{pmatrix} ¦ (1,2,3,4)
      \begin{pmatrix}1&2\\3&4\end{pmatrix} ¦ \begin{vmatrix}1&2\\3&4\end{vmatrix}
      \begin{pmatrix}1\\2\end{pmatrix} ¦ \begin{pmatrix}2\\1\end{pmatrix} ¦ \{1, 2\}
      (1,2,3,4) ¦ (1,2,4,3)
      1 \to 2 \to 3 ¦ 1 \to 3 \to 2
      甲>乙>丙 ¦ 乙>甲>丙
      甲、乙、丙 ¦ 甲、乙
      ①②③ ¦ ①②
      ABD ¦ ABC ¦ AB
      AB ¦ BA^{-1}
      A and C ¦ A and B ¦ C
      (A) and (C) ¦ (A)
      \{a, b\} ¦ \{a, c\} ¦ (a, b)
      1st ¦ 2nd
      Monday, Tuesday ¦ Monday, Wednesday
      Anna, Bob, Carl ¦ Bob, Anna, Dan
      \langle 1, 2 \rangle ¦ \langle 2, 1 \rangle
      1\mathbf{i} + 2\mathbf{j} ¦ 2\mathbf{i} + 1\mathbf{j}
      3i + 2j ¦ 2i + 3j
      1 + 2i ¦ 1 - 2i
      x - y ¦ y - x
      \frac{a}{b} ¦ \frac{b}{a}
      a^b ¦ b^a
      \log_a b ¦ \log_b a
      \binom{n}{k} ¦ \binom{k}{n}
      f(g(x)) ¦ g(f(x))
      f \circ g ¦ g \circ f
      A \times B ¦ A \times C
    `),
  },
  "functions at constants": {
    paid: pairs(String.raw`
      f(3) = 7 ¦ 7 ¦ f(3)=7
      f(0) = 0, f(1) = 1 ¦ f(1) = 1, f(0) = 0
      f(x) = 2x + 1 ¦ 2x + 1 ¦ f(t) = 2t + 1
      2f(3) + 1 ¦ 1 + 2f(3)
      f(2) \ge 5 ¦ 5 \le f(2)
      P(X = 2) = \frac14 ¦ \frac14
      P(X = 2) = 0.25 ¦ P(X=2) = \frac{1}{4}
      f'(1) = 4 ¦ 4
      a_5 = 32 ¦ 32
      E(X) = 3, D(X) = 2 ¦ E(X)=3, D(X)=2
      \sin(\pi/6) ¦ \frac12
      \phi(12) = 4 ¦ 4
    `),
    unpaid: pairs(String.raw`
      f(3) = 7 ¦ f(3) = 8 ¦ f(7) = 3 ¦ f(3) > 7 ¦ f(3) \ne 7 ¦ f(3) ¦ f(-3) = 7 ¦ f(3) = -7
      f(3) = 7 ¦ f(3)^2 = 7 ¦ f(3) = 7, f(4) = 9 ¦ 2f(3) = 7 ¦ f'(3) = 7 ¦ f^{-1}(3) = 7 ¦ |f(3)| = 7
      f(3) = 7 ¦ f(x) = 7 ¦ 3
      f(0) = 0, f(1) = 1 ¦ f(0) = 1, f(1) = 0 ¦ f(0) = 0, f(2) = 1 ¦ f(0) = 0 ¦ 1, 0, 0
      f(0) = 0, f(1) = 1 ¦ f(0) + f(1) = 1
      f(1)+f(2)=3 ¦ f(1)+f(3)=3 ¦ f(1)f(2)=3 ¦ f(3)=3
      f(1)+f(2)+f(3) ¦ f(1)+f(2)+f(4) ¦ f(6)
      f(1)f(2) ¦ f(2)
      f(1)-f(2) ¦ f(2)-f(1)
      f(1)/f(2) ¦ f(2)/f(1)
      f(2) \ge 5 ¦ f(2) \ge 6 ¦ f(2) \le 5 ¦ f(3) \ge 5 ¦ f(2) = 5 ¦ 5 ¦ 2f(2) \ge 5
      0 < f(2) < 5 ¦ 0 < f(2) < 6 ¦ 0 < f(3) < 5 ¦ f(2) < 5 ¦ 0 \le f(2) < 5
      f(2) = f(3) ¦ f(2) = f(4)
      f(2) = 2f(3) ¦ f(3) = 2f(2)
      f(x) = 2x + 1 ¦ f(x) = 2x - 1 ¦ g(x) = 2x + 1 ¦ f(2x) = 2x + 1 ¦ f'(x) = 2x + 1
      f(x) = 2x + 1 ¦ f(x) > 2x + 1 ¦ f(2) = 5 ¦ f(x)^2 = 2x + 1 ¦ 1/f(x) = 2x + 1
      f(x) = x^2, g(x) = x ¦ f(x) = x, g(x) = x^2 ¦ f(x) = x^2
      f(x) = x or f(x) = -x ¦ f(x) = x ¦ f(x) = x or f(x) = 2x
      f(x) = x for all x ¦ f(x) = 2x for all x
      f(x)=0, f(x)=x ¦ f(x)=0, f(x)=2x
      f(x+1) ¦ f(x)+1
      f(2x) ¦ 2f(x)
      f(x^2) ¦ f(x)^2
      f(xy) ¦ f(x)f(y)
      f(x,y) ¦ f(y,x)
      f(x,y) = x + 2y ¦ f(x,y) = 2x + y
      f(1,2) = 3 ¦ f(2,1) = 3 ¦ f(1,2) = 4
      f(1)(2) ¦ f(2)
      f'(1) = 4 ¦ f'(1) = 5 ¦ f''(1) = 4
      f''(0) ¦ f'''(0)
      f^{(3)}(0) ¦ f^{(4)}(0)
      f^{-1}(2) = 1 ¦ f(2) = 1 ¦ f^{-1}(2) = 3
      f^{-1}(2) ¦ \frac{1}{f(2)}
      P(X = 2) = \frac14 ¦ P(X = 3) = \frac14 ¦ P(X = 2) = \frac13
      P(X = 1) = \frac14, P(X = 2) = \frac34 ¦ P(X = 1) = \frac34, P(X = 2) = \frac14
      P(A|B) = \frac12 ¦ P(B|A) = \frac12 ¦ P(A \cap B) = \frac12
      P(A \cup B) = \frac12 ¦ P(A \cap B) = \frac12
      P(\bar A) = \frac12 ¦ P(A) = \frac12
      P(A) = \frac12 ¦ 1 - P(A) = \frac12, P(B) = 1
      P(A) > P(B) ¦ P(B) > P(A)
      E(X) = 3, D(X) = 2 ¦ E(X) = 2, D(X) = 3
      E(X) = 3 ¦ D(X) = 3
      E(X^2) = 3 ¦ E(X)^2 = 3
      \operatorname{Var}(X) = 2 ¦ \operatorname{Var}(Y) = 2 ¦ E(X) = 2
      a_5 = 32 ¦ a_6 = 32 ¦ a_5 = 31
      a_1 = 1, a_2 = 3 ¦ a_1 = 3, a_2 = 1 ¦ a_1 = 1, a_3 = 3
      a_n = 2^n ¦ a_n = 2^{n-1} ¦ a_{n+1} = 2^n ¦ a_{2n} = 2^n
      a_n = 2^n, b_n = n ¦ a_n = n, b_n = 2^n
      a_{n+1} = a_n + 2 ¦ a_{n+1} = a_n + 3 ¦ a_{n+2} = a_n + 2
      a_{n+1} = 2a_n ¦ a_{n+1} = a_n^2
      \sigma(12) = 28 ¦ \tau(12) = 28
      \phi(12) ¦ \phi(13) ¦ 12
      B(2,3) ¦ B(3,4)
      J_0(1) ¦ J_1(1)
      T_3(x) ¦ T_4(x)
      d(3) ¦ d(4)
      h(1) = h(2) = 0 ¦ h(1) = h(3) = 0
      \max f = 3 ¦ \min f = 3
      \max\{f(1), f(2)\} ¦ \min\{f(1), f(2)\}
      f_{\max} = 3 ¦ f_{\min} = 3
      y_{\max} = 5, y_{\min} = 1 ¦ y_{\max} = 1, y_{\min} = 5
      \deg P = 3 ¦ \deg Q = 3 ¦ P = 3
      |f(1)| ¦ f(1)
      \overline{f(1)} ¦ f(1)
      f(\sqrt{2}) ¦ f(2)
      f(0.5) ¦ f(0.6)
      f(1/2) ¦ f(1/3)
      f(i) ¦ f(-i)
      f(A) = B ¦ f(B) = A
      f: x \mapsto 2x ¦ f: x \mapsto 3x
      f: A \to B ¦ f: B \to A
    `),
  },
  "one sign, one place or one bracket": {
    paid: pairs(String.raw`
      x^{2}+2x+1 ¦ (x+1)^2
      \frac{\sqrt{3}}{3} ¦ \frac{1}{\sqrt{3}}
      \log_2 3 ¦ \frac{\ln 3}{\ln 2}
      (-2, 3] ¦ -2<x\leq 3
      \{-1, 0, 1\} ¦ 0, \pm 1
      \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix} ¦ \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}
      y = 2x - 3 ¦ 2x - y = 3
      \frac{x^2}{4} + y^2 = 1 ¦ x^2 + 4y^2 = 4
      3 + 4i ¦ 4i + 3
      2\pi ¦ 360^\circ
      e^{i\pi/3} ¦ \cos\frac{\pi}{3} + i\sin\frac{\pi}{3}
      n(n+1)/2 ¦ \binom{n+1}{2}
      a_n = 2^n - 1 ¦ a_n = -1 + 2^n
      f'(x) = 2x ¦ 2x
      \vec{AB} = (2, 3) ¦ \overrightarrow{AB} = (2,3)
      120^\circ ¦ \frac{2\pi}{3}
      1.2 \times 10^5 ¦ 120000
      0.\overline{3} ¦ \frac13
      5! ¦ 120
      \binom{10}{3} ¦ 120
      x \in \{1, 2\} ¦ x = 1 \text{ or } x = 2
      (1, 2, 3) ¦ x = 1, y = 2, z = 3
      k \le 4 ¦ (-\infty, 4]
      \sqrt[3]{16} ¦ 2\sqrt[3]{2}
    `),
    unpaid: pairs(String.raw`
      x^{2}+2x+1 ¦ (x-1)^2
      \frac{\sqrt{3}}{3} ¦ \frac{3}{\sqrt{3}}
      \log_2 3 ¦ \log_3 2
      (-2, 3] ¦ -2\le x\leq 3
      \{-1, 0, 1\} ¦ \pm 1
      y = 2x - 3 ¦ 2x - y = -3
      \frac{x^2}{4} + y^2 = 1 ¦ x^2 + y^2 = 4
      2\pi ¦ 180^\circ
      n(n+1)/2 ¦ n(n-1)/2
      f'(x) = 2x ¦ f''(x) = 2x ¦ f(x) = 2x
      g^{(4)}(0)=1 ¦ g^{(5)}(0)=1
      \vec{AB} = (2, 3) ¦ \vec{BA} = (2,3) ¦ \vec{AC} = (2,3)
      \vec{a}\cdot\vec{b} = 0 ¦ \vec{a}\times\vec{b} = 0
      \{\{1\}, \{2\}\} ¦ \{1, 2\} ¦ \{\{1, 2\}\}
      \{\emptyset, \{1\}\} ¦ \{\emptyset, 1\}
      \{1\} \times \{2\} ¦ \{1, 2\}
      (1, \{2\}) ¦ (1, 2)
      n \equiv 2 \pmod 5 ¦ n = 5k+3 ¦ n \equiv 2 \pmod{10}
      n \equiv 1, 4 \pmod 5 ¦ n \equiv 1, 3 \pmod 5 ¦ n \equiv 1 \pmod 5
      \sqrt{2^3} ¦ \sqrt2^3 \cdot 2
      \sum_{k=1}^{10} k ¦ \sum_{k=1}^{11} k ¦ \sum_{k=1}^10 k^2
      \int_0^2 f(x)dx ¦ \int_0^2 f(x)^2dx
      \int_0^{12} f(x)dx ¦ \int_0^12 f(x)dx + 1
      |f(2)| = 3 ¦ f(2) = 3
      |x| = 3 ¦ x = 3
      \overline{x} = 4, s^2 = 2 ¦ \overline{x} = 2, s^2 = 4
      x_1 + x_2 = 5, x_1 x_2 = 6 ¦ x_1 + x_2 = 6, x_1 x_2 = 5
      \angle A : \angle B = 1:2 ¦ \angle A : \angle B = 2:1
      AB : BC = 3 : 4 ¦ AB : BC = 4 : 3 ¦ BC : AB = 3 : 4
      a : b : c = 1 : 2 : 3 ¦ a : b : c = 1 : 3 : 2
      P(A) = 0.3, P(B) = 0.5 ¦ P(A) = 0.5, P(B) = 0.3
      \max = 5, \min = 2 ¦ \max = 2, \min = 5
      3 \text{ m} \times 4 \text{ m} ¦ 3 \text{ m} \times 5 \text{ m}
      10 \text{ m/s north} ¦ 10 \text{ m/s south}
      5 \text{ ft } 3 \text{ in} ¦ 5 \text{ ft } 4 \text{ in}
      15^\circ 20' ¦ 15^\circ 2'
      \pi > e ¦ \pi > 2
      \frac{dy}{dx} = 2x ¦ \frac{dx}{dy} = 2x
      \frac{\partial u}{\partial x} = 1 ¦ \frac{\partial u}{\partial y} = 1
      X \sim N(0, 1) ¦ X \sim N(1, 0)
      A \cup B ¦ A \cap B
      \neg(p \lor q) ¦ \neg(p \land q)
      p \Rightarrow q ¦ q \Rightarrow p
      x^{\frac{1}{2}} ¦ x^{-\frac{1}{2}}
      x^{2^3} ¦ (x^2)^3
      -x^2 ¦ (-x)^2
      \sin^{-1} x ¦ \frac{1}{\sin x}
      \log^2 x ¦ \log x^2
      \frac{a}{b}c ¦ \frac{a}{bc}
      1,234 ¦ 1.234 ¦ 1, 234
      12.5\% ¦ 12.5
      3\frac12 ¦ \frac32 ¦ 3 \cdot \frac12
      1011_2 ¦ 1011
    `),
  },
};
