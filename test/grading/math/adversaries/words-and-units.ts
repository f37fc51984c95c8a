// Words before and behind a number, units and quantifiers.
import { each, type Pairs, pairs } from "./pairs.ts";

export const table: Readonly<Record<string, Pairs>> = {
  "words before a number": {
    paid: each(
      `a total of 7
      exactly 7
      precisely 7
      just 7
      only 7
      simply 7
      equal to 7
      the number 7
      the integer 7
      the value 7
      still 7
      also 7
      therefore 7
      indeed 7
      clearly 7
      therefore equal to 7`,
      "7",
      ["The answer is @.", "Answer: @"],
    ),
    unpaid: each(
      `negative 7
      minus 7
      the opposite of 7
      the negative of 7
      the additive inverse of 7
      the multiplicative inverse of 7
      the reciprocal of 7
      the square of 7
      the cube of 7
      the fourth power of 7
      the square root of 7
      the cube root of 7
      the fifth root of 7
      the factorial of 7
      the absolute value of -7 plus 7
      the logarithm of 7
      the sine of 7
      half of 7
      a half of 7
      one half of 7
      a third of 7
      two thirds of 7
      a quarter of 7
      twice 7
      double 7
      triple 7
      thrice 7
      quadruple 7
      ten times 7
      5 times 7
      5 plus 7
      10 minus 7
      5 more than 7
      5 less than 7
      the sum of 5 and 7
      the product of 5 and 7
      the difference between 5 and 7
      20% of 7
      20 percent of 7
      a multiple of 7
      multiples of 7
      a power of 7
      a divisor of 7
      a factor of 7
      divisible by 7
      coprime to 7
      relatively prime to 7
      congruent to 7
      more than 7
      greater than 7
      less than 7
      fewer than 7
      at least 7
      at most 7
      no more than 7
      no less than 7
      not 7
      not equal to 7
      different from 7
      other than 7
      anything but 7
      all numbers except 7
      up to 7
      above 7
      below 7
      under 7
      over 7
      beyond 7
      larger than 7
      smaller than 7
      bounded by 7
      between 0 and 7
      from 1 to 7
      1 through 7
      either 5 or 7
      5 or 7
      neither 5 nor 7
      plus or minus 7
      infinitely many multiples of 7
      the 7
      thousands, not 7
      a 7-tuple of ones
      base 7
      modulo 7
      7 times x
      one over 7
      the floor of 7.9 minus 7`,
      "7",
      ["@", "The answer is @.", "\\boxed{\\text{@}}"],
    ).filter(([, response]) => !/\bthe 7\b/.test(response)),
  },
  "words behind a number": {
    paid: each(
      `9
      9 in total
      9 altogether
      9 overall
      9 exactly
      9 as required
      9 as desired
      9, as desired
      9, as claimed
      9, which completes the proof
      9 solutions
      9 possible values
      9 ways
      9 pairs
      9 distinct values
      9 units
      9 (nine)
      nine`,
      "9",
      ["The answer is @.", "Answer: @"],
    ),
    unpaid: each(
      `9 hundred
      9 thousand
      9 million
      9 billion
      9 trillion
      9 dozen
      9 score
      9 gross
      9 squared
      9 cubed
      9 factorial
      9 halves
      9 thirds
      9 quarters
      9 fifths
      9 tenths
      9 hundredths
      9 percent
      9 per cent
      9 per mille
      9 over 10
      9 out of 10
      9 in 10
      9 to 1
      9 plus 1
      9 minus 1
      9 times 2
      9 times as many as 3
      9 divided by 2
      9 to the power 2
      9 to the second power
      9 to the third
      9 raised to the second power
      9 choose 2
      9 mod 2
      9 modulo 2
      9 base 16
      9 and a half
      9 and three quarters
      9 point 5
      9 or 10
      9 or more
      9 or fewer
      9 and above
      9 and up
      9 and 10
      9 at most
      9 at least
      9 at minimum
      9 or greater
      9 below zero
      9 less than 20
      9 more than 20
      9 fewer than 20
      9 pi
      9 root 2
      9 i
      9x
      9 - 10
      9–10
      9 to 10
      9 remainder 1
      9 with remainder 1
      9 with a remainder of 1
      9 short of 20
      9 doubled
      9 tripled
      9 halved
      9 mod 11 inverse
      9 repeating
      9 e 5
      9 × 10
      9 times itself
      9 is wrong
      9 is incorrect
      9 is not possible`,
      "9",
      ["@", "The answer is @.", "\\boxed{\\text{@}}"],
    ),
  },
  units: {
    paid: pairs(String.raw`
      12 ¦ \boxed{12\,\mathrm{cm}} ¦ \boxed{12\ \text{cm}^2} ¦ \boxed{12\;\mathrm{m^3}} ¦ \boxed{12\text{ square units}}
      12 ¦ \boxed{12\text{ units}^2} ¦ \boxed{12\,\text{km/h}} ¦ \boxed{12\text{ mph}} ¦ \boxed{\$12}
      12 ¦ \boxed{12\text{ dollars}} ¦ \boxed{12~\text{hours}} ¦ The answer is 12 minutes.
      12 ¦ 12 元 ¦ 12 厘米 ¦ 12 平方厘米 ¦ 12个 ¦ 共有12种
      \$12 ¦ 12
      \$12.50 ¦ \$12.5
      12 \text{ cm} ¦ 12 ¦ 12 cm ¦ 12\,\mathrm{cm} ¦ 0.12 m ¦ 120 mm
      2 hours ¦ 120 minutes
      90 \text{ minutes} ¦ 1.5 hours
      5 \text{ kg} ¦ 5000 \text{ g}
      36 \text{ km/h} ¦ 10 \text{ m/s}
      2 \text{ m}^2 ¦ 20000 \text{ cm}^2
      2 m^2 ¦ 2 square meters
      45 degrees ¦ 45^\circ
      12 cm² ¦ 12 \text{ cm}^{2}
      60 mph ¦ 60 \text{ miles per hour}
      60 \text{ km/h} ¦ 60 \text{ kilometers per hour}
      2\pi \text{ cm} ¦ 2\pi
      \frac{5}{2} \text{ hours} ¦ 2.5 hours ¦ 2 hours 30 minutes
      6\sqrt{3} \text{ cm}^2 ¦ 6\sqrt3\,\mathrm{cm}^2
      7 \text{ people} ¦ 7 people
      1 dollar 25 cents ¦ \$1.25
    `),
    unpaid: [
      ...each(
        `12 m
        12 mm
        12 km
        12 inches
        12 feet
        12 cm^2
        12 cm²
        12 cm^3
        12 cm³
        12 square centimeters
        12 cubic centimeters
        12 cm/s
        12 cm per second
        12 kg
        12 hours
        12 dollars
        12 degrees
        12^\\circ
        12\\%
        12 centimeters squared
        12 \\text{ cm}^{-1}
        12 m 5 cm
        12 1/cm`,
        "12 cm",
        ["@", "The answer is @.", "\\boxed{@}"],
      ),
      ...pairs(String.raw`
        5 km/h ¦ 5 m/s ¦ 5 km/s ¦ 5 h/km ¦ 5 hours per kilometer
        5 m/s ¦ 5 m s ¦ 5 m/s² ¦ 5 m/min
        5 \text{ m/s} ¦ 5 \text{ s/m}
        5 kg m ¦ 5 kg/m
        5 g/cm^3 ¦ 5 g/cm^2 ¦ 5 kg/cm^3
        2 hours ¦ 2 minutes ¦ 2 hours 1 minute
        2 hours 30 minutes ¦ 2.3 hours
        2:30 ¦ 2:31 ¦ 2.5
        2:30 PM ¦ 2:30 AM
        2 weeks ¦ 2 years
        \$3.20 ¦ \$3.02 ¦ 32 cents ¦ 3.20 cents ¦ £3.20
        \$3 ¦ ¥3
        3 dollars and 20 cents ¦ 3 dollars and 2 cents ¦ 20 cents
        6'2" ¦ 6'3"
        4 lb 5 oz ¦ 5 lb 4 oz
        8 m by 5 m ¦ 8 m by 6 m ¦ 40 m
        8 cm × 5 cm ¦ 8 cm × 4 cm
        8 cm by 5 cm ¦ 8 m by 5 m
        8 by 5 by 3 ¦ 8 by 5 by 2 ¦ 8 by 5
        10 \text{ mL} ¦ 10 \text{ L}
        10 \text{ mg} ¦ 10 \text{ Mg}
        10 \text{ ms} ¦ 10 \text{ s}
        10 \text{ MW} ¦ 10 \text{ mW}
        10 \text{ Pa} ¦ 10 \text{ kPa}
        10 \text{ V} ¦ 10 \text{ A}
        10 \text{ N} ¦ 10 \text{ kg}
        10 \text{ Hz} ¦ 10 \text{ kHz}
        25^\circ C ¦ 25^\circ F
        25^\circ\text{C} ¦ 25\text{ K}
        25 °C ¦ -25 °C ¦ 25 °C below zero
        100 \text{ cm}^2 ¦ 1 \text{ m}^2 ¦ 100 \text{ cm}
        1 acre ¦ 1 hectare
        3 apples ¦ 3 oranges
        3 boys ¦ 3 girls
        3 red balls ¦ 3 blue balls
        3 red, 4 blue ¦ 4 red, 3 blue
        5 cats and 2 dogs ¦ 2 cats and 5 dogs ¦ 5 cats ¦ 7
        3 rows of 4 ¦ 4 rows of 3
        3 bags ¦ 3 dozen bags
        4 and 6 cm ¦ 4 and 7 cm
        4 cm, 6 cm ¦ 4 cm, 6 m
        4 cm and 6 cm ¦ 10 cm
        12 厘米 ¦ 12 米
        12 平方厘米 ¦ 12 立方厘米
        3 元 ¦ 3 角
        3 米 5 厘米 ¦ 3 米 6 厘米
        3 万元 ¦ 3 元
        3 ¦ 3成
        3 岁 ¦ 3 个月
        5\,\mathrm{cm} ¦ 5\,\mathrm{cm}^{3}
        5\,\mathrm{cm}^2 ¦ 5\,\mathrm{mm}^2
        5\,\mathrm{cm^2} ¦ 5\,\mathrm{cm^3}
        5\,\mathrm{m\,s^{-1}} ¦ 5\,\mathrm{m\,s^{-2}}
        5 \text{ meters} ¦ 5 \text{ square meters}
        5 miles ¦ 5 miles per hour
      `),
    ],
  },
  quantifiers: {
    paid: pairs(String.raw`
      \text{all real numbers} ¦ \mathbb{R}
      all real numbers ¦ (-\infty, \infty) ¦ \text{all reals}
      \mathbb{R} ¦ x \in \mathbb{R}
      \text{no solution} ¦ \emptyset
      no real solutions ¦ no real solution
      \text{no solutions} ¦ There is no solution.
      infinitely many ¦ infinitely many
      \text{none} ¦ None
      n \ge 2 ¦ n \geq 2
      x > 0 ¦ \{x : x > 0\}
      \text{all positive integers } n ¦ all positive integers $n$
    `),
    unpaid: pairs(String.raw`
      all real numbers ¦ all integers ¦ all positive real numbers ¦ all rational numbers ¦ no real numbers
      all real numbers ¦ some real numbers ¦ all nonzero real numbers ¦ all real numbers except 0 ¦ infinitely many
      all real numbers except 3 ¦ all real numbers except 4 ¦ all real numbers
      all real numbers except 3 and 4 ¦ all real numbers except 3
      all real numbers except $-2$ ¦ all real numbers except $2$
      all integers ¦ all positive integers ¦ all even integers
      all even integers ¦ all odd integers
      all positive integers ¦ all nonnegative integers
      all primes ¦ all odd primes
      all primes p > 3 ¦ all primes p > 5
      all n divisible by 3 ¦ all n divisible by 4 ¦ all n not divisible by 3
      all multiples of 6 ¦ all multiples of 3 ¦ 6
      all n \ge 3 ¦ all n \ge 4 ¦ some n \ge 3 ¦ 3
      for all n > 1 ¦ for some n > 1 ¦ 1
      n is even ¦ n is odd ¦ n is not even
      n even ¦ n odd
      odd n ¦ even n
      \text{all odd } n ¦ \text{all even } n
      \text{all } n ¦ \text{no } n
      \text{every } n \ge 5 ¦ \text{every } n \ge 6
      at least one ¦ exactly one ¦ at most one
      at least 2 ¦ at most 2 ¦ exactly 2 ¦ at least 3
      exactly 2 ¦ at least 2
      at most 5 ¦ at least 5
      more than 5 ¦ less than 5 ¦ 5
      no more than 5 ¦ no less than 5
      none ¦ all ¦ some ¦ one
      some ¦ all
      one ¦ none
      never ¦ always
      always ¦ sometimes ¦ never
      infinitely many ¦ finitely many ¦ none ¦ 0
      finitely many ¦ infinitely many
      no solution ¦ one solution ¦ infinitely many solutions ¦ x = 0
      one solution ¦ two solutions
      two solutions ¦ no solutions
      unique solution ¦ no unique solution
      yes ¦ no
      no ¦ yes
      Yes ¦ not yes
      true ¦ false ¦ not true
      possible ¦ impossible ¦ not possible
      impossible ¦ possible
      convergent ¦ divergent
      converges ¦ diverges ¦ does not converge
      converges absolutely ¦ converges conditionally
      increasing ¦ decreasing ¦ not increasing ¦ strictly increasing
      continuous ¦ not continuous ¦ discontinuous
      prime ¦ not prime ¦ composite
      rational ¦ irrational
      bounded ¦ unbounded
      finite ¦ infinite
      equal ¦ not equal ¦ unequal
      both ¦ neither ¦ either
      linear ¦ nonlinear
      dependent ¦ independent
      linearly dependent ¦ linearly independent
      consistent ¦ inconsistent
      symmetric ¦ antisymmetric ¦ not symmetric
      odd ¦ even
      even function ¦ odd function
      maximum ¦ minimum
      local maximum ¦ local minimum ¦ global maximum
      left ¦ right
      north ¦ south
      clockwise ¦ counterclockwise
      parallel ¦ perpendicular
      acute ¦ obtuse
      first ¦ second
      Alice ¦ Bob
      the first player ¦ the second player
      first player wins ¦ second player wins
      player 1 ¦ player 2
      Monday ¦ Tuesday
      a circle ¦ an ellipse
      circle with center (1,2) ¦ circle with center (2,1)
      a line ¦ a parabola
      \exists x: x>0 ¦ \forall x: x>0
      \forall x \in \mathbb{R} ¦ \exists x \in \mathbb{R}
      \forall x, x^2 \ge 0 ¦ \forall x, x^2 > 0
      \exists x_0 \in \mathbb{R}, x_0^2 < 0 ¦ \forall x \in \mathbb{R}, x^2 < 0
      x > 0 for all x ¦ x \ge 0 for all x
      f(x) > 0 for all x ¦ f(x) > 0 for some x
      2 for all n ¦ 3 for all n
      2 if n is odd ¦ 2 if n is even
      2 if n is odd, 3 if n is even ¦ 3 if n is odd, 2 if n is even ¦ 2
      0 for x<1, 1 for x\ge1 ¦ 1 for x<1, 0 for x\ge1
      n = 1 only ¦ n = 2 only ¦ n > 1
      only n = 3 ¦ all n except 3
      所有实数 ¦ 所有整数
      所有正整数 ¦ 所有整数
      任意实数 ¦ 不存在
      至少一个 ¦ 至多一个
      至少3个 ¦ 3
      不存在 ¦ 存在
      无解 ¦ 有解 ¦ 无数解
      正确 ¦ 错误 ¦ 不正确
      是 ¦ 不是
      能 ¦ 不能
      充分不必要条件 ¦ 必要不充分条件
      充分不必要 ¦ 充要
      奇函数 ¦ 偶函数
      增函数 ¦ 减函数
      偶数 ¦ 奇数
      相交 ¦ 相切
      相离 ¦ 相交
      第一象限 ¦ 第二象限
      锐角三角形 ¦ 钝角三角形
      甲 ¦ 乙
      甲和乙 ¦ 甲和丙
      甲、乙 ¦ 甲
    `),
  },
};
