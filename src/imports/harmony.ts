// Markers of thinking other than tags: gpt-oss writes in channels (the harmony format), of which analysis is its thinking and final
// its answer; Sky-T1 and OpenThoughts mark thought and solution. Cut here, so that markers are in no span and thinking is where
// segmentation looks for it.

const message =
  /<\|channel\|>\s*(\w+)\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>([\s\S]*?)(?=<\|(?:end|return|call|start|channel)\|>|$)/g;

const thoughtAndSolution = /^\s*<\|begin_of_thought\|>([\s\S]*?)(?:<\|end_of_thought\|>([\s\S]*))?$/;

/** What is left of channels where special tokens were dropped in decoding. */
const bare = /^analysis(?=[A-Z\s"'([{\d])([\s\S]*?)assistantfinal([\s\S]*)$/;

/** Special tokens that end a reply, where it was decoded with them. */
const endOfReply = /(?:<\|(?:im_end|endoftext|eot_id|end_of_text)\|>|<\/s>|<eos>|<end_of_turn>|<｜end▁of▁sentence｜>)$/;
const longestToken = 30;

/** One after the other: a pattern for all of them would try every blank of a long row of blanks as their beginning. */
function withoutEnd(written: string): string {
  let reply = written.trimEnd();
  if (!/[>｜]$/.test(reply.slice(-1))) return written;
  for (let end = endOfReply.exec(reply.slice(-longestToken)); end; end = endOfReply.exec(reply.slice(-longestToken)))
    reply = reply.slice(0, -end[0].length).trimEnd();
  return reply;
}

export function withoutChannels(written: string): string {
  const response = withoutEnd(written);
  if (response.includes("<|channel|>")) {
    // A template may have opened the first channel: then its words come without a marker.
    const opening = response.slice(0, response.search(/<\|(?:start|channel|end)\|>/)).trim();
    const thoughts: string[] = opening === "" ? [] : [opening];
    const answers: string[] = [];
    for (const [, channel, text] of response.matchAll(message)) {
      (channel === "final" ? answers : thoughts).push(text);
    }
    const cutOff = answers.length === 0 && !/<\|(?:end|return|call)\|>\s*$/.test(response);
    if (thoughts.length + answers.length > 0)
      return tagged(thoughts.join("\n\n"), cutOff ? undefined : answers.join("\n\n"));
  }
  const marked = thoughtAndSolution.exec(response);
  if (marked !== null) return tagged(marked[1], marked[2]?.replace(/<\|(?:begin|end)_of_solution\|>/g, ""));
  const plain = bare.exec(response);
  if (plain === null) return response;
  return tagged(plain[1].replace(/assistant(?:analysis|commentary(?: to=\S+(?: json)?)?)/g, "\n\n"), plain[2]);
}

/** Thinking that was cut off stays open. */
function tagged(thinking: string, answer: string | undefined): string {
  if (answer === undefined) return `<think>${thinking}`;
  return thinking === "" ? answer : `<think>${thinking}</think>${answer}`;
}
