/** Tells a text for people from a text for machines. */

/** Two words with nothing but a space between them. Code seldom has them; these keywords stand before names in it. */
const pair =
  /(?<![\w$.])(?!(?:var|let|const|new|return|function|class|typeof|throw|void|select|union|all|from|where|order|by|group|insert|into|delete|update|set|and|or|not|null|like|limit|values|table|drop|exec|echo|cat)\b)[a-z][a-z']{1,20}[,.:;!?]?[ \n]{1,2}(?!(?:select|union|from|where|and|or|like|null|in|is|by)\b)[a-z][a-z']{1,20}(?![\w$(=])/gi;

/** So many pairs make sentences. */
const pairsMin = 3;

/** Lines that have something in them; so many make a document if it is no short one. */
const linesMin = 3;
const documentCharactersMin = 60;

/** Whether the text is written for people: sentences, fenced code, or several lines of anything. */
export function isDocument(text: string): boolean {
  if (text !== last.text) last = { text, isDocument: looksLikeDocument(text) };
  return last.isDocument;
}

/** Detectors ask several times about the same text. */
let last = { text: '', isDocument: false };

function looksLikeDocument(text: string): boolean {
  if (isProse(text) || /```|\[code|<(?:pre|code|p|br|div|ac:)\b/i.test(text)) return true;
  return text.length >= documentCharactersMin && hasLines(text);
}

function hasLines(text: string): boolean {
  let count = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    if (text.slice(start, end).trim() !== '' && ++count >= linesMin) return true;
    start = end + 1;
  }
  return false;
}

/** Letters beyond ASCII in words of a language: so many bytes of UTF-8 are no disguise. */
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
  if (hasForeignWords(text)) return true;
  pair.lastIndex = 0;
  const head = text.length > 4_096 ? text.slice(0, 4_096) : text;
  for (let count = 0; pair.test(head);) if (++count >= pairsMin) return true;
  return false;
}
