/**
 * JavaScript that runs where an application inserts the text: inside of a string that it ends, or as a value of its
 * own. Code in a longer text about code is ignored; a short text that consists of code is not.
 */
import { BoundedMap } from '#base';
import { copyBytes } from '#text';
import { spendSteps } from '#work';
import { type Detector, type DetectorReading, pickSurer } from '../finding.ts';
import { stepsPerName } from '../limits.ts';
import { isProse } from '../prose.ts';

const names =
  /(?<![\w$.-])(?:window|top|self|parent|frames|globalThis|this|document|opener|alert|confirm|prompt|print|eval|execScript|Function|setTimeout|setInterval|setImmediate|fetch|import|atob|String|location|localStorage|sessionStorage|XMLHttpRequest|Image|navigator|constructor|onerror|Reflect|Object|Array|JSON|require|process|global|XSS|console)(?![\w$-])|\[\s{0,9}\]|__proto__|\/\w*\/\.source|\bconstructor\b/gi;

type NameUse = readonly [name: RegExp, use: RegExp, confidence: number, why: string];

/** The use of a name decides. Each pattern is tried at the end of the name, and has no nested repetition. */
const uses: readonly NameUse[] = [
  [
    /^(?:window|top|self|parent|frames|globalThis|this|document|opener)$/i,
    /\s{0,9}(?:\?\.)?\s{0,9}\[\s{0,9}(?:["'`/]|[\w.]+\s{0,9}\(|\(|\[|\+|!|\d+\s{0,9}\.)[^\]]{0,300}\]\s{0,9}(?:[(`[=.\]]|\?\.|$)/y,
    90,
    'a property of the page by a name that is put together',
  ],
  [
    /^(?:window|top|self|parent|frames|globalThis|this)$/i,
    /\s{0,9}\[[^\]]{0,200}(?:\.source|\+|\\[xu]|atob|fromCharCode|toString\s{0,9}\(|join|reverse|slice|replace|concat)/y,
    92,
    'a property of the page by a name that is put together',
  ],
  [
    /^(?:window|top|self|parent|globalThis|this)$/i,
    /\s{0,9}\.\s{0,9}(?:alert|confirm|prompt|eval|name\s{0,9}\)|location\s{0,9}=|onerror\s{0,9}=|document\b)/y,
    86,
    'a call of the page',
  ],
  [/^print$/, /\s{0,9}(?:\(\s{0,9}\)|`)/y, 84, 'a call that attackers try first'],
  [
    /^(?:alert|confirm|prompt)$/i,
    /\s{0,9}(?:\?\.)?\s{0,9}(?:\(\s{0,9}(?:["'`/\d(!]|document|window|origin|this|location|name|[a-z]\s{0,9}\)|\)|String|XSS)|`)/y,
    88,
    'a call that attackers try first',
  ],
  [
    /^(?:alert|confirm|prompt)$/i,
    /\s{0,9}(?:\.\s{0,9}(?:call|apply|bind)\b|[,)\]}]\s{0,9}[([]|;|:|&|,\s{0,9}\d|\/\/|%)/y,
    84,
    'a call that attackers try first',
  ],
  [
    /^(?:alert|confirm|prompt|eval)$/i,
    /(?<=\.\w{2,12}\(\s{0,4}(?:alert|confirm|prompt|eval))\s{0,9}\)/iy,
    86,
    'a call that attackers try first',
  ],
  [
    /^eval$/i,
    /\s{0,9}(?:\(\s{0,9}(?:["'`(\\]|atob|String|unescape|location|name|this|window|decodeURI|document|\w+\s{0,9}[.[(])|`)/y,
    90,
    'code that is put together and run',
  ],
  [
    /^(?:setTimeout|setInterval|setImmediate|execScript)$/i,
    /\s{0,9}(?:\(\s{0,9}(?:["'`]|atob|alert|eval|location|name)|`)/y,
    86,
    'code that is run later',
  ],
  [/^Function$/, /\s{0,9}(?:\(\s{0,9}["'`]|`)/y, 88, 'a function of a text'],
  [/^fetch$/i, /\s{0,9}\(\s{0,9}["'`]\s{0,9}(?:https?:)?\/\//y, 82, 'a request to another site'],
  [/^import$/, /\s{0,9}\(\s{0,9}["'`]\s{0,9}(?:https?:|data:)?(?:\/\/|text)/y, 90, 'a foreign module'],
  [
    /^document$/i,
    /\s{0,9}(?:\.|\[\s{0,9}["'`])\s{0,9}(?:cookie|domain|write(?:ln)?\s{0,9}["'\]]{0,9}\s{0,9}\(|location\s{0,9}["'\]]{0,9}\s{0,9}=|body\s{0,9}\.\s{0,9}innerHTML|documentElement\s{0,9}\.\s{0,9}innerHTML)/y,
    86,
    'reading or rewriting the document',
  ],
  [
    /^location$/i,
    /\s{0,9}(?:\.\s{0,9}(?:href|hash|assign|replace|search)\s{0,9})?(?:=\s{0,9}["'`]?\s{0,9}(?:javascript|(?:https?:)?\/\/|name|atob|\w+:)|\(\s{0,9}["'`]\s{0,9}(?:javascript|(?:https?:)?\/\/))/y,
    84,
    'another page',
  ],
  [
    /^(?:localStorage|sessionStorage)$/i,
    /\s{0,9}(?:\.\s{0,9}getItem\s{0,9}\(|\[)/y,
    80,
    'reading what the page stores',
  ],
  [
    /^String$/,
    /\s{0,9}\.\s{0,9}(?:fromCharCode|fromCodePoint|raw)\s{0,9}(?:\(\s{0,9}\d|`)/y,
    84,
    'a text put together of codes',
  ],
  [/^Image$/, /\s{0,9}\(\s{0,9}\)?[^;]{0,40}\.src\s{0,9}=/y, 86, 'a request to another site'],
  [
    /^\[\s{0,9}\]$/,
    /\s{0,9}(?:\.\s{0,9}(?:constructor|filter|map|find|sort|flat|at)\b|\[\s{0,9}["'`(!+[])[^;]{0,60}(?:constructor|\]\s{0,9}\(|\(|\[)/y,
    84,
    'a property by a name that is put together',
  ],
  [
    /^constructor$/i,
    /["'\]]{0,9}\s{0,9}(?:\.|\[\s{0,9}["'`])\s{0,9}constructor["'`\]]{0,9}\s{0,9}\(/y,
    92,
    'the constructor of functions',
  ],
  [/^constructor$/i, /["'\]]{0,9}\s{0,9}\(\s{0,9}["'`]/y, 82, 'the constructor of functions'],
  [/^Reflect$/, /\s{0,9}\.\s{0,9}(?:apply|construct|get|set)\s{0,9}\(/y, 80, 'a call through Reflect'],
  [/^onerror$/i, /\s{0,9}=\s{0,9}(?:alert|eval|confirm|prompt)/y, 90, 'a handler that runs an error'],
  [/\.source$/, /\s{0,9}(?:\+|\]|\))/y, 88, 'a name put together of patterns'],
];

/** Names that are examined; a text with more of them is a program. */
const namesMax = 400;

/** A name may be spelt in thousands of ways. */
const spellingsMax = 1_000;
/** Cached by spelling: the same few names recur in texts. */
const usesByName = new BoundedMap<string, readonly NameUse[]>(spellingsMax);

function listUses(name: string): readonly NameUse[] {
  let known = usesByName.get(name);
  if (known === undefined) {
    known = uses.filter(([of]) => of.test(name));
    usesByName.set(copyBytes(name), known);
  }
  return known;
}

export const detectScript: Detector = (text) => {
  let found: DetectorReading | undefined;
  names.lastIndex = 0;
  for (let count = 0, name = names.exec(text); name !== null && count < namesMax; count++) {
    spendSteps(stepsPerName);
    const end = names.lastIndex;
    for (const [, use, confidence, why] of listUses(name[0])) {
      use.lastIndex = end;
      if (!use.test(text)) continue;
      found = pickSurer(found, { confidence, why, start: name.index, end: use.lastIndex });
    }
    if (found !== undefined && found.confidence >= 92) break;
    names.lastIndex = end;
    name = names.exec(text);
  }
  if (found === undefined) return undefined;
  return { ...found, confidence: weigh(found, text) };
};

/** A call in a text about calls is not an attack; one after the end of a string is. */
function weigh({ confidence, start, end }: DetectorReading, text: string): number {
  // "alert('hello') not working", "document.cookie javascript"
  if (
    /^[\w"')\]]{0,12}[)\]"'=]?\s+[a-z]{2,20}(?:[,;]?\s+[a-z]{2,20}){0,8}\s{0,4}[?.!]?$/i.test(
      text.slice(Math.max(start, end - 1)),
    )
  ) {
    return Math.min(confidence, 65);
  }
  const rest = text.slice(end);
  if (/\)\s+(?:in|is|not|does|with|for|vs)\s+[a-z]+$/i.test(rest)) return Math.min(confidence, 65);
  const before = text.slice(0, start);
  // Between sentences, only text that ends a string is code.
  if (isProse(text))
    return /["'`>}][;)}\]\s+*/,|&-]{0,8}$/.test(before) ? confidence : Math.min(confidence, 60);
  const isCode =
    /["'`;)}\]>,=+*/|&?:(!~{[-]\s{0,9}$/.test(before) ||
    /^[\s\w.$]{0,12}$/.test(before) ||
    /\bnew\s{0,9}$|[\])]\.\s{0,9}$/.test(before);
  return isCode ? confidence : Math.min(confidence, 70);
}
