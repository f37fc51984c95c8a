// Lists of sets, marks on variables, degrees and minutes, falling pairs.
import { apart, type Pairs, pairs } from "./pairs.ts";

export const table: Readonly<Record<string, Pairs>> = {
  "lists of sets": {
    paid: pairs(String.raw`
      \{1,2\}, \{3\} ¦ \{3\}, \{2,1\}
      \{\{1\},\{2\}\} ¦ \{\{2\},\{1\}\}
      [0,1], [2,3] ¦ [0,1] and [2,3]
      A = \{1,2\}, B = \{3\} ¦ A=\{2,1\}, B=\{3\}
      \emptyset, \{1\} ¦ \{1\}, \emptyset
      \{1,2,3\} ¦ \{3,2,1\}
      \{(1,2),(3,4)\} ¦ \{(3,4),(1,2)\}
      \{\emptyset\} ¦ \{\varnothing\}
    `),
    unpaid: [
      ...apart(`
      \\{1,2\\}, \\{3\\}
      \\{1\\}, \\{2,3\\}
      \\{1,2,3\\}
      \\{1,2\\}, \\{4\\}
      \\{1,2\\}, \\{3\\}, \\{4\\}
      \\{1\\}, \\{2\\}, \\{3\\}
      \\{1,2\\}
      \\{(1,2), 3\\}
      (1,2), \\{3\\}`),
      ...apart(`
      [0,1], [2,3]
      [0,1], [2,4]
      [0,1), [2,3]
      [0,3]
      [0,1] \\cap [2,3]
      [0,2], [1,3]
      [0,1]`),
      ...apart(`
      \\emptyset
      \\{\\emptyset\\}
      0
      \\{\\emptyset, \\{\\emptyset\\}\\}
      \\{1\\}`),
      ...apart(`
      \\{\\{1,2\\},\\{3\\}\\}
      \\{\\{1\\},\\{2,3\\}\\}
      \\{\\{1\\},\\{2\\},\\{3\\}\\}
      \\{\\{1,2,3\\}\\}`),
      ...pairs(`
      A = \\{1,2\\}, B = \\{3\\} ¦ A = \\{3\\}, B = \\{1,2\\}
      A = \\{1,2\\}, B = \\{3\\} ¦ A = \\{1,2\\}, B = \\{4\\}
      A = \\{1,2\\} ¦ A = \\{1,3\\}
      A \\cup B = \\{1,2\\} ¦ A \\cap B = \\{1,2\\}
      A \\cup B = \\{1,2\\}, A \\cap B = \\{1\\} ¦ A \\cup B = \\{1\\}, A \\cap B = \\{1,2\\}
      (-\\infty,0), (0,\\infty) ¦ (-\\infty,\\infty)
      (-\\infty,0), (0,\\infty) ¦ (-\\infty,0), (1,\\infty)
      domain [0,\\infty), range [1,\\infty) ¦ domain [1,\\infty), range [0,\\infty)
      domain: $[0,\\infty)$; range: $[1,\\infty)$ ¦ domain: $[0,\\infty)$; range: $[2,\\infty)$
      [0,\\infty); [1,\\infty) ¦ [0,\\infty)
      \\{1,2\\} \\times \\{3\\} ¦ \\{1,2,3\\}
      \\{1,2\\} \\times \\{3\\} ¦ \\{3\\} \\times \\{1,2\\}
      \\{(1,3),(2,3)\\} ¦ \\{(3,1),(3,2)\\}
      \\{1,2\\} \\cup \\{3\\} ¦ \\{1,2\\}, \\{3\\}
      \\{a,b\\},\\{c\\} ¦ \\{a\\},\\{b,c\\}
      \\{2,3\\},\\{5\\} ¦ 2,3,5
      \\{2,3\\},\\{5\\} ¦ (2,3),(5)
    `),
    ],
  },
  "marks on variables": {
    paid: pairs(String.raw`
      \vec{a} ¦ \vec a
      \overrightarrow{AB} ¦ \overrightarrow{AB}
      x' ¦ x^{\prime}
      \vec{AB} = (1,2) ¦ (1, 2)
      \bar{x} = 5 ¦ 5
      \hat{p} = 0.3 ¦ 0.3
      \mathbf{v} = (1,2) ¦ (1,2)
      x_1 = 3 ¦ x_{1} = 3
      a_{n}=2n ¦ a_n = 2n
      \vec a + \vec b ¦ \vec b + \vec a
      -\overrightarrow{AB} ¦ \overrightarrow{BA}
    `),
    unpaid: [
      ...apart(`
      v
      \\vec{v}
      \\hat{v}
      \\bar{v}
      \\tilde{v}
      \\dot{v}
      \\ddot{v}
      v'
      v''
      v^*
      v^T
      v_1
      v_{2}`),
      ...pairs(String.raw`
        \vec{v} = 2 ¦ v = 2
        \hat{v} + 1 ¦ v + 1
        \dot{x} = 3x ¦ x = 3\dot{x} ¦ \ddot{x} = 3x
        \dot{x} = y, \dot{y} = x ¦ x = y, y = x
        x' + x = 0 ¦ x'' + x = 0
        \bar{x} = 5 ¦ \bar{y} = 5
        \bar{z} = 1 - i ¦ z = 1 - i
        \bar{z} ¦ z
        \bar{z}_1 ¦ \bar{z}_2
        \overline{z_1 z_2} ¦ z_1 z_2
        \overline{z+w} ¦ z+w
        \overline{AB} ¦ AB + 1
        \overline{ab} ¦ ab
        \overline{ab} = 10a + b ¦ ab = 10a + b
        \overline{abc} ¦ \overline{cba}
        \overline{25} ¦ 25
        0.\overline{25} ¦ 0.25 ¦ 0.2\overline{5}
        0.\dot{2}\dot{5} ¦ 0.2\dot{5}
        \overrightarrow{AB} ¦ \overrightarrow{AC} ¦ \overrightarrow{BA} ¦ |\overrightarrow{AB}|
        \overrightarrow{AB} + \overrightarrow{BC} ¦ \overrightarrow{AB} - \overrightarrow{BC}
        |\vec{a}| ¦ \vec{a}
        |\vec{a}| = 2 ¦ \vec{a} = 2
        |\vec{a} + \vec{b}| ¦ |\vec{a}| + |\vec{b}|
        \vec{a} \cdot \vec{b} ¦ \vec{a} \times \vec{b} ¦ \vec{a} + \vec{b}
        \vec{a} \times \vec{b} ¦ \vec{b} \times \vec{a}
        \frac12\vec{a} + \frac12\vec{b} ¦ \frac12 a + \frac12 b
        \frac12\vec{a} + \frac13\vec{b} ¦ \frac13\vec{a} + \frac12\vec{b}
        A^T ¦ A
        A^{-1} ¦ A ¦ A^T
        A^* ¦ A^T
        A' ¦ A
        A^c ¦ A
        \complement A ¦ A
        \bar{A} \cup B ¦ A \cup B
        \neg p \land q ¦ p \land q
        \mathbf{x} ¦ \mathbf{y}
        \mathcal{A} ¦ \mathcal{B}
        \mathbb{A} ¦ \mathbb{B}
        x_a ¦ x_b ¦ xa
        x_{ab} ¦ x_{ba}
        x_{12} ¦ x_{21}
        x_1^2 ¦ x_2^2 ¦ x_1
        x^{(1)} ¦ x^{(2)}
        x^{+} ¦ x^{-}
        x^+ ¦ x
        0^+ ¦ 0^- ¦ 0
        x^{\#} ¦ x
        x! ¦ x
        x!! ¦ x!
        \Delta x ¦ x
        \partial_x f ¦ \partial_y f
        \frac{\partial f}{\partial x} ¦ \frac{\partial f}{\partial y}
        \delta_{ij} ¦ \delta_{ik}
        \epsilon ¦ \delta
        \alpha ¦ a
        \sigma^2 ¦ s^2
        \hat{\sigma}^2 ¦ \sigma^2
        \mu_X ¦ \mu_Y
        \underline{x} ¦ x
        \widehat{ABC} ¦ ABC
        \widehat{xy} ¦ \widehat{yx}x
        \overset{\frown}{AB} ¦ AB
        \overbrace{x} ¦ \hat{x}
        \sqrt{\bar{x}} ¦ \sqrt{x}
        \bar{x}^2 ¦ \overline{x^2}
        \hat{\imath} ¦ i
        \hat{i} + \hat{j} ¦ i + j
      `),
    ],
  },
  "degrees and minutes": {
    paid: pairs(String.raw`
      30^\circ ¦ 30° ¦ 30 degrees ¦ \frac{\pi}{6} ¦ 30
      30^\circ 30' ¦ 30.5^\circ
      30°15′ ¦ 30.25°
      12^\circ 30' ¦ 12^{\circ}30^{\prime}
      \angle A = 60^\circ ¦ 60^\circ
      \angle A = 60^\circ, \angle B = 70^\circ ¦ \angle B = 70^\circ, \angle A = 60^\circ
      63.75^\circ ¦ 63.750^\circ
      45 ¦ 45 度
      45^\circ ¦ 45度
      120^\circ ¦ 120\degree
    `),
    unpaid: [
      ...apart(`
      30^\\circ
      30^\\circ 15'
      30^\\circ 15' 20''
      30^\\circ 20'
      30'
      31^\\circ
      -30^\\circ
      30.15^\\circ
      300^\\circ`),
      ...pairs(String.raw`
        30^\circ ¦ 60^\circ ¦ 30^\circ \text{ or } 150^\circ ¦ 30^\circ + 360^\circ k ¦ 30 radians ¦ \frac{\pi}{3}
        30^\circ ¦ 30\pi ¦ 0.5 ¦ at least 30^\circ ¦ less than 30 degrees ¦ 30 grads ¦ 30 minutes
        30^\circ ¦ 30 arc minutes ¦ 30°C ¦ N30°E ¦ \sin 30^\circ ¦ 30^\circ, 60^\circ ¦ 30^2 ¦ 30°±5°
        30^\circ, 60^\circ ¦ 30^\circ, 70^\circ ¦ 30^\circ
        30^\circ \text{ or } 150^\circ ¦ 30^\circ ¦ 30^\circ \text{ or } 120^\circ
        30^\circ < x < 60^\circ ¦ 30^\circ < x < 70^\circ ¦ 30^\circ \le x < 60^\circ
        (30^\circ, 60^\circ) ¦ (60^\circ, 30^\circ) ¦ [30^\circ, 60^\circ]
        \angle A = 60^\circ ¦ \angle B = 60^\circ ¦ \angle A = 120^\circ
        \angle A = 60^\circ, \angle B = 70^\circ ¦ \angle A = 70^\circ, \angle B = 60^\circ ¦ \angle A = 60^\circ
        \angle ABC = 60^\circ ¦ \angle ACB = 60^\circ
        \sin 30^\circ ¦ \sin 30 ¦ \cos 30^\circ
        \cos 36^\circ ¦ \cos 72^\circ
        \tan 20^\circ 30' ¦ \tan 20^\circ
        63^\circ 45' ¦ 63^\circ 54' ¦ 63.45^\circ ¦ 45'
        63^\circ 45' ¦ 63^\circ - 45'
        63°45′ ¦ 63°45″ ¦ 63°46′ ¦ −63°45′
        63°45′ N ¦ 63°45′ S
        63 degrees 45 minutes ¦ 63 degrees 44 minutes ¦ 63 degrees
        63 degrees and 45 minutes ¦ 45 minutes
        63度45分 ¦ 63度46分 ¦ 63度
        360^\circ ¦ 0^\circ
        180^\circ - \alpha ¦ 180^\circ + \alpha ¦ 90^\circ - \alpha
        90^\circ + \frac{A}{2} ¦ 90^\circ - \frac{A}{2}
        k \cdot 360^\circ + 30^\circ ¦ k \cdot 180^\circ + 30^\circ
        k \cdot 360^\circ + 30^\circ, k \in \mathbb{Z} ¦ k \cdot 360^\circ + 60^\circ, k \in \mathbb{Z}
        2\pi ¦ 2
        \frac{\pi}{4} ¦ 45^\circ 1'
        1 rad ¦ 1^\circ
        2 radians ¦ 2 degrees
        2 rad ¦ 2\pi rad
        15' ¦ 15'' ¦ 15^\circ
        3:15 ¦ 3:16 ¦ 3^\circ 15'
        3 h 15 min ¦ 3 h 51 min
        3 hours 15 minutes ¦ 3.15 hours
        20 °C ¦ 20 °F ¦ 21 °C
        north 30° east ¦ north 30° west
        北偏东30° ¦ 北偏西30° ¦ 30°
        10^\circ \text{ per minute} ¦ 10^\circ \text{ per second}
      `),
    ],
  },
  "falling pairs": {
    paid: pairs(String.raw`
      (5, 2) ¦ (5,2) ¦ \left(5, 2\right) ¦ x = 5, y = 2
      (5, -\infty) ¦ (5, -\infty)
      [5, 2] ¦ [5,2]
      (5, 2), (3, 1) ¦ (3,1), (5,2)
      \emptyset ¦ (-\infty, 0) \cap (0, \infty) ¦ \{\}
    `),
    unpaid: [
      ...apart(`
      (5, 2)
      (6, 3)
      [5, 2]
      (5, 2]
      [5, 2)
      \\emptyset
      (2, 5)
      [2, 5]
      \\{5, 2\\}
      0
      (5, 5)
      [4, 4)`),
    ],
  },
};
