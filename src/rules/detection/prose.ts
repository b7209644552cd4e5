/** Distinguishes texts for people from texts for machines. */

/** Two words separated only by a space. Code seldom has them; these keywords precede names in it. */
const pair =
  /(?<![\w$.])(?!(?:var|let|const|new|return|function|class|typeof|throw|void|select|union|all|from|where|order|by|group|insert|into|delete|update|set|and|or|not|null|like|limit|values|table|drop|exec|echo|cat)\b)[a-z][a-z']{1,20}[,.:;!?]?[ \n]{1,2}(?!(?:select|union|from|where|and|or|like|null|in|is|by)\b)[a-z][a-z']{1,20}(?![\w$(=])/gi;

/** This many pairs make sentences. */
const pairsMin = 3;

/** Letters beyond ASCII in words of a language: this many bytes of UTF-8 are not a disguise. */
const foreignBytesMin = 12;

function hasForeignWords(text: string): boolean {
  let count = 0;
  for (let index = 0; index < text.length && index < 4_096; index++) {
    if (text.charCodeAt(index) >= 0x80 && ++count >= foreignBytesMin) return true;
  }
  return false;
}

/** Whether the text has sentences in it. Only its first kilobytes count. */
export function isProse(text: string): boolean {
  if (text !== last.text) last = { text, isProse: hasForeignWords(text) || hasPairs(text) };
  return last.isProse;
}

/** A cache: detectors ask several times about the same text. */
let last = { text: '', isProse: false };

function hasPairs(text: string): boolean {
  pair.lastIndex = 0;
  const head = text.length > 4_096 ? text.slice(0, 4_096) : text;
  for (let count = 0; pair.test(head);) if (++count >= pairsMin) return true;
  return false;
}
