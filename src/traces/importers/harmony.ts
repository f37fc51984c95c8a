// gpt-oss writes in channels (the harmony format): analysis is its thinking, final its answer. Cut here, so that markers
// are in no span and thinking is where segmentation looks for it.

const message =
  /<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>([\s\S]*?)(?=<\|(?:end|return|call|start|channel)\|>|$)/g;

/** What is left of it where special tokens were dropped in decoding. */
const bare = /^analysis(?=[A-Z\s"'([{\d])([\s\S]*?)assistantfinal([\s\S]*)$/;

export function withoutChannels(response: string): string {
  if (response.includes("<|channel|>")) {
    // A template may have opened the first channel: then its words come without a marker.
    const opening = response.slice(0, response.search(/<\|(?:start|channel|end)\|>/)).trim();
    const thoughts: string[] = opening === "" ? [] : [opening];
    const answers: string[] = [];
    for (const [, channel, text] of response.matchAll(message)) {
      (channel === "final" ? answers : thoughts).push(text);
    }
    if (thoughts.length + answers.length > 0) return tagged(thoughts.join("\n\n"), answers.join("\n\n"));
  }
  const plain = bare.exec(response);
  return plain === null ? response : tagged(plain[1], plain[2]);
}

const tagged = (thinking: string, answer: string) => (thinking === "" ? answer : `<think>${thinking}</think>${answer}`);
