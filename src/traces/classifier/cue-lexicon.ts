// What people say when they plan, doubt, check, give up or conclude: the phrases behind each cue. A phrase is words; a
// bracket lists alternatives, an empty one makes it optional; ^ is the start of a sentence and 0 any number.

const lets = "[let's|let me|let us|i'll|i will|i should|we should|i need to|we need to|i can|we can|i want to|to]";
const subject = "[i|we|you|he|she|they|it|one|this|that]";
const just = "[just|quickly|now|first|also|]";

export const cuePhrases: Readonly<Record<string, readonly string[]>> = {
  // What to do next.
  approach: ["[approach|approaches|strategy|strategies|method|methods|plan|technique|procedure|algorithm]"],
  goodWay: [
    "[best|better|easier|simpler|simplest|quicker|efficient|systematic|good|optimal|standard|usual|clever] [way|approach|method|strategy|solution|path|idea]",
    "[way|ways] to [approach|do|solve|think|get|measure|model|find|tackle|see|handle]",
    "the [key|trick|idea|main thing|important thing|crucial point|challenge|question] [is|here is|now is]",
    "key [insight|idea|point|observation|step]",
    "[an|another|here's an|here is an|one] idea",
  ],
  howTo: ["how [do|can|could|to|would|should|might|about|does|did]"],
  needTo: ["[i|we|you|they|he] [need|want|have|ought] to", "[need|needs|want|wants] to", `${subject} must`],
  intention: [
    "[i'll|i will|we'll|we will|i should|we should|i am going to|i'm going to|i can|we can|i could|we could]",
  ],
  goal: [
    "[goal|objective|target|aim]",
    "[asked to|asks for|asking for|asking about|looking for|trying to|want to find|to find|find out|figure out|figure this out|figure it out|determine|need to find]",
  ],
  startWith: [
    "[start|starting|begin|beginning|proceed|proceeding|continue|focus] [by|with|from|on|at|]",
    "[first|next|last|final] step",
    "[first|next] [thing|i|we|,]",
    "move on",
  ],
  breakDown: [
    "break [it|this|that|things|them|the problem] down",
    "step by step",
    "step - by - step",
    "[systematically|methodically|carefully|logically|one by one|in detail|structured|thoroughly]",
  ],
  workOn: [
    `${lets} ${just} [think|see|consider|try|figure|analyze|analyse|approach|look|explore|model|use|do|take|work|find|imagine|structure|organize|map|apply|treat|examine|investigate|go through|walk through]`,
  ],
  worthChecking: [
    `${lets} ${just} [check|double check|double - check|recheck|re - check|verify|confirm|test|validate|make sure|be sure|reread|re - read|re - examine|recalculate|recompute|recount|count|cross - check|cross check|review|go over|ensure|see if this|see if that|see whether]`,
    "[to|just to] [be sure|make sure|be safe|double - check|verify|confirm|be certain|be thorough]",
    "[check|checking|verify|verifying|verification|double - checking|sanity check|test|testing] [:|if|whether|that|with|against|the|this|each|all|both|it]",
  ],
  rethink: [
    `${lets} ${just} [rethink|reconsider|redo|start over|start again|try again|go back|backtrack|step back|take a step back|think again|think differently|reevaluate|re - evaluate|restart|revisit|correct|fix|resolve|clarify|adjust|try a different|try another|try something else|think of another|think about another|look at it differently|re - think|approach this differently]`,
    "[try|trying|think|thinking] [again|differently|otherwise|another way|something else]",
    "[start|starting|go|going|begin] [over|back|again|afresh]",
  ],
  define: [
    "[denote|denotes|denoted|denoting|define|defines|defined|label|labeled|labelled|represent|represents|represented|notation]",
    "[let's|let me|let us|we|i|we'll|i'll|we can|i can] [denote|define|call|label|name|set up|represent|introduce|write|note|assign|formalize|say]",
    "let [a|b|c|d|x|y|z|n|k|m|p|s|t|the|each|\\(|$] [be|denote|=|represent|stand]",
    "[where|with] [x|y|z|n|k|a|b|p|the] [is|are|denotes|represents]",
    "set [x|y|z|n|k|a|b|t] [=|to]",
  ],

  // What is given and what is known.
  problemSays: [
    "the [problem|question|puzzle|statement|prompt|clue|task|user|riddle|original problem|setup] [says|said|states|stated|asks|asked|is|specifies|mentions|gives|doesn't|does not|tells|reads|wants|describes|just]",
    "according to the [problem|question|clue|clues|statement|rules|rule|puzzle]",
    "[given|stated|mentioned|specified|described] in the [problem|question|puzzle]",
    "[problem|question] statement",
    "clue 0",
    "the clues",
  ],
  given: [
    "given [that|the|this|these|,|:]",
    "[we are|we're|i'm|i am] given",
    "[we|i] [know|have|see]",
    "^ there [are|is]",
    "so [i|we] have",
    "^ [okay|ok|alright|so] , [so|let's|let me|i|the|this]",
    "this [problem|puzzle|question|riddle]",
  ],
  recall: [
    "i [remember|recall|know]",
    "[recall|remember|reminds me|known as|well known|well - known|by definition|formula|theorem|identity|property|rule|principle|lemma|definition]",
    "in [the|a] [classic|standard|original|usual|traditional|typical] [problem|version|puzzle|one|case|monty|]",
    "similar [to|problem|problems|puzzle|puzzles]",
    "[classic|famous|well - known] [problem|puzzle|riddle|paradox|]",
  ],
  quotes: ['"', "“"],

  // One of several.
  cases: [
    "[case|cases|scenario|scenarios|possibility|possibilities|option|options|combination|combinations|candidate|candidates|outcomes|arrangements|configurations|permutations|subcase|subcases]",
  ],
  allOf: [
    "all [possible|the possible|cases|four|three|of them|combinations|scenarios|possibilities|options]",
    "[each|every] [case|scenario|possibility|option|one|of these|of the|possible]",
    "[list|listing|enumerate|enumerating|go through|consider both|both cases|both scenarios|two cases|three cases|four cases|two possibilities|three possibilities|two options|two scenarios]",
  ],
  caseHead: [
    "^ [case|scenario|option|possibility|subcase|assumption] [0|a|b|c|i|ii|iii|one|two|:|1|2|3]",
    "^ - if",
    "^ if",
  ],
  stepHead: [
    "^ [step|year|day|level|trip|crossing|move|round|position|person|month|stage|layer|clue|term|t] [0|=|:]",
    "^ 0 [.|)]",
    "^ -",
  ],
  eitherOr: ["either", "neither", "both", "or", "one of"],
  first: ["^ [first|firstly|second|secondly|third|thirdly|finally|lastly|next|then|now]"],

  // Tentative.
  maybe: [
    "[maybe|perhaps|possibly|presumably|conceivably]",
    "[might|may|could] [be|have|not|also|need|mean|imply|want|work]",
    "it's possible",
    "[is|are] possible that",
  ],
  suppose: [
    "[suppose|supposing|assume|assuming|imagine|pretend|let's say|say]",
    "[if|what if] [we|i|you] [assume|suppose|consider|take|use|try]",
  ],
  whatIf: [
    "what if",
    "[what|how] about",
    "^ [could|can|might|is|are|does|do|would|should] [it|we|i|there|this|that|they|the|he|you]",
  ],
  unsure: [
    "[probably|likely|unlikely|unsure|uncertain|not sure|not certain|i guess|i wonder|i suspect|i believe|seems|seem|seemingly|apparently|appears]",
    "i think",
  ],
  interpretation: [
    "[trick|trick question|typo|misinterpret|misinterpreting|misinterpreted|misinterpretation|misread|misreading|intended|intention|intent|interpretation|interpretations|interpret|interpreted|interpreting|wording|worded|phrasing|phrased|ambiguous|ambiguity|translation|translated|mistranslation|meant|unclear|misstated|variation|variant|version|twist|flawed|expects|expected answer|expecting]",
    "the [problem|question|puzzle|user|author|answer] [might|may|could|intends|expects|wants|requires|assumes|must|probably|likely]",
    "[imply|implies|implied|implying] that",
  ],
  alternatively: [
    "[alternatively|otherwise]",
    "^ or",
    "another [way|approach|idea|possibility|thought|interpretation|option|method|angle|scenario|case|thing|strategy|sequence]",
    "or [maybe|perhaps]",
    "other [way|ways|possibilities|options|option|approach]",
  ],
  unless: ["[unless|except|provided|as long as]"],

  // Work.
  equation: ["=", "≈", "≥", "≤"],
  arithmetic: ["0 [+|-|*|/|×|^|÷|·|−] 0", "\\frac", "\\times", "\\cdot", "\\sqrt", "0 %", "0 / 0"],
  therefore: [
    "[so|therefore|thus|hence|consequently|accordingly]",
    "^ [so|therefore|thus|hence]",
    "[which|this|that] [means|gives|implies|leads to|leaves|makes|would mean|would be|yields|results in|shows]",
    "it follows",
  ],
  because: ["[because|since|as|due to|owing to]"],
  computeVerb: [
    "[compute|computing|calculate|calculating|calculation|calculations|substitute|substituting|simplify|simplifying|expand|solve|solving|multiply|multiplying|divide|dividing|subtract|subtracting|add|adding|sum|total|equals|equal|minus|plus|times|divided|gives|giving|get|becomes|remaining|left]",
  ],
  must: ["[must|cannot|can't|has to|only|always|never|exactly|at least|at most|necessarily]"],
  ifThen: ["if", "then", "when", "whenever"],
  probability: ["[probability|probabilities|chance|chances|odds|likelihood]"],

  // Right or not.
  correct: [
    "[correct|consistent|valid|holds|satisfied|satisfies|satisfy|matches|match|matching|agrees|verified|works|fits]",
    "[makes|make] sense",
    "checks out",
    "as expected",
    "[is|that's|that is|seems|looks|sounds] [right|correct|good|fine|okay|true|consistent|valid]",
    "same [result|answer|thing|conclusion|value]",
  ],
  yes: ["^ [yes|yep|yeah|right|exactly|good|great|indeed|perfect]"],
  isItRight: [
    "^ [is|was|does|did|are|do] [that|this|it|they|there|the answer|my] [really|still|always|even|]",
    "[right|correct|true] ?",
    "? [yes|no]",
    "why",
  ],
  wait: ["wait"],
  waitNo: ["wait , no", "no , wait", "^ no [,|.|:|;|that|because|wait]", "[oh|ah] no", "actually , no"],
  holdOn: [
    "hold on",
    "wait a [second|minute|moment]",
    "[hmm|hmmm|hmmmm|hm|huh|uh|oh]",
    "actually",
    "[but|oh|hmm] , wait",
    "but wait",
  ],
  but: ["^ [but|however|yet|although|though|still|nevertheless|on the other hand]"],
  earlier: ["[earlier|previously|before|above|initially|originally|already|back]", "[again|once more]"],
  sameAsBefore: ["[same|similar|similarly|equivalent|identical|likewise] [as|to|problem|issue|]"],

  // Giving a line up.
  doesNotWork: [
    "[doesn't|does not|didn't|won't|wouldn't|can't|cannot|don't|isn't|not] [work|help|fit|make sense|seem right|match|add up|satisfy|solve|lead|hold|be right|be correct|be possible|be the case]",
    "not [good|possible|helpful|useful|enough|right|correct|valid|allowed|feasible|better|efficient|working|what|under|sufficient|ideal]",
    "no good",
    "too [long|slow|much|many|big|large|high|complicated|complex|messy|late]",
    "[fail|fails|failed|failing|impossible|unsafe|invalid|worse|exceeds|exceed|exceeding|stuck|problematic|useless|infeasible|bad]",
    "[over|above] [the limit|0|time]",
    "still [not|over|too|0|the same|no|exceeds|doesn't]",
    "[that's|that is|this is|there's] a problem",
  ],
  contradiction: [
    "[contradiction|contradictions|contradicts|contradict|contradicting|contradictory|contradicted|inconsistent|inconsistency|paradox|paradoxical|conflict|conflicts|conflicting|violates|violate|violating|violation|absurd]",
  ],
  mistake: [
    "[mistake|mistakes|mistaken|error|errors|wrong|incorrect|incorrectly|miscalculated|miscalculation|misunderstood|misunderstanding|misunderstand|overlooked|overlooking|missed|missing|forgot|forgotten|confused|confusing|confusion|flaw|oops|overcomplicating|overthinking|messed|miscounted|misapplied]",
  ],
  instead: [
    "[instead|rather]",
    "[different|new|alternative|fresh] [approach|way|method|strategy|sequence|idea|path|angle|perspective|plan]",
    "[scrap|abandon|abandoning|discard|drop|dismiss|nowhere|dead end|dead - end|give up|giving up|rule out|ruled out|eliminate|backtrack|backtracking|undo|revert]",
    "[that|this|the previous|my previous|the first|my first|my earlier|the earlier] [approach|idea|assumption|attempt|path|method|line|guess|way]",
    "go back to",
    "return to",
    "back to",
  ],

  // Where it stands.
  answer: [
    "[final answer|the answer|my answer|\\boxed|boxed]",
    "answer [is|:|should|would|must|remains]",
    "so the [solution|result|answer|minimum|maximum|total|probability|number|value|correct]",
  ],
  conclude: [
    "[conclude|concludes|concluding|conclusion|summary|summarize|summarizing|summarise|summing up|overall|in short|recap|so far|to sum up|ultimately|all in all|in the end|putting it together|putting together|altogether]",
    "^ therefore , [the|i|we|it|my|you|staying|switching|there|this]",
  ],
  settle: [
    "[i'll|i will|i should|i would|let's|let me|i'd] [go with|stick with|accept|answer|say|settle|proceed with|conclude|finalize]",
    "i'm [confident|sure|pretty sure|fairly|convinced|certain]",
    "should be",
    "must be",
    "i [am confident|accept]",
  ],
  format: [
    "[format|formatted|formatting|output|json|explain|explains|explaining|explanation|present|presented|respond|response|reply|box|bullet|markdown|heading|concise|draft|write up|write out|write the|phrase it|section]",
    "in the [format|form|required]",
  ],
  user: ["the user"],
  example: [
    "[for example|for instance|e . g|such as|like]",
    "[test|try|trying|tried|plug|plugging] [it|in|this|with|some|a|the|0|]",
  ],
  also: ["[also|similarly|additionally|moreover|furthermore|besides|meanwhile]"],
};
