/**
 * Tells what a text shows from what it says. People who write about attacks show them: between quotes or backticks, in
 * fences or elements for code, in indented blocks. Sources of programs show nothing else. Sentences around an attack make no
 * example of it.
 */
import { spendSteps } from '#base';
import { stepsPerCharacterOnce, stepsPerLineCharacter, stepsPerText } from './limits.ts';
import { isProse } from './prose.ts';

/** Whether what stands there is shown. */
export function isExample(text: string, start: number, end = start): boolean {
  if (text.length < exampleCharactersMin) return false;
  const look = lookAt(text);
  return (
    isWithin(look.spans, start, end) ||
    look.isDense ||
    isWithin(look.quotes, start, end) ||
    look.codeLines >= codeLinesMin
  );
}

/** The same for markup. A page runs it in a text of any lines, so only a long source shows it. */
export function isMarkupExample(text: string, start: number, end: number): boolean {
  if (text.length < exampleCharactersMin) return false;
  const look = lookAt(text);
  if (isWithin(look.spans, start, end)) return true;
  if (isWithin(look.quotes, start, end) && isProse(text)) return true;
  return !/^\s*</.test(text) && look.codeLines >= sourceLinesMin;
}

function isWithin(spans: readonly Span[], start: number, end: number): boolean {
  return spans.some((span) => span[0] <= start && end <= span[1]);
}

/** An example has something around it. */
const exampleCharactersMin = 24;

type Span = readonly [start: number, end: number];

/** Each part is read when it is asked for: most texts are answered by the first ones, which are quick to read. */
class Look {
  readonly text: string;
  #spans: readonly Span[] | undefined;
  #isDense: boolean | undefined;
  #quotes: readonly Span[] | undefined;
  #codeLines: number | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get spans(): readonly Span[] {
    return (this.#spans ??= listSpans(this.text));
  }

  /** Whether it is code without lines. */
  get isDense(): boolean {
    return (this.#isDense ??= isDenseCode(this.text));
  }

  /** Between quotes and backticks. */
  get quotes(): readonly Span[] {
    return (this.#quotes ??= listQuotes(this.text));
  }

  /** How many lines are code; 0 if most are not. */
  get codeLines(): number {
    return (this.#codeLines ??= countCodeLines(this.text));
  }
}

/** Detectors ask several times about the same text. */
let last = new Look('');

function lookAt(text: string): Look {
  if (text !== last.text) last = new Look(text);
  return last;
}

function listSpans(text: string): readonly Span[] {
  spendSteps(stepsPerCharacterOnce * text.length);
  const spans: Span[] = [];
  for (const fence of ['```', '~~~']) addFences(text, fence, spans);
  if (/<(?:pre|code|samp|kbd|xmp|ac:)|\[code|\{(?:code|noformat)/i.test(text)) addElements(text, spans);
  if (text.includes('\n')) addIndented(text, spans);
  return spans;
}

/** Quotes show something only to words that stand outside of them. */
function listQuotes(text: string): readonly Span[] {
  spendSteps(stepsPerCharacterOnce * text.length);
  const spans: Span[] = [];
  addMatches(text, inlineCode, spans);
  addMatches(text, quoted, spans);
  let outside = '';
  let from = 0;
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    outside += text.slice(from, Math.max(from, start));
    from = Math.max(from, end);
  }
  return /(?:^|\s)[a-z\x80-\xff]{2,}(?:[\s.,:;!?]|$)/i.test(outside + text.slice(from)) ? spans : [];
}

/**
 * A part of a document may begin or end inside of a fence: one with the name of a language opens, so one that is open then
 * has closed what stands before it, and so has the only one without a name.
 */
function addFences(text: string, fence: string, spans: Span[]): void {
  let open: number | undefined;
  let closed = 0;
  let next: number;
  for (let at = text.indexOf(fence); at !== -1; at = next) {
    const end = at + fence.length;
    next = text.indexOf(fence, end);
    const isNamed = /[a-z]/i.test(text.charAt(end));
    if (open === undefined && !isNamed && next === -1) {
      spans.push([closed, end]);
    } else if (open === undefined) {
      open = at;
    } else if (isNamed) {
      spans.push([closed, open + fence.length]);
      open = at;
    } else {
      spans.push([open, end]);
      open = undefined;
      closed = end;
    }
  }
  if (open !== undefined) spans.push([open, text.length]);
}

const elementStart =
  /<(pre|code|samp|kbd|xmp|ac:plain-text-body)\b[^<>]{0,120}>|\[code\b[^[\]]{0,80}\]|(\{code|\{noformat)(?::[^{}\n]{0,80})?\}/gi;

function addElements(text: string, spans: Span[]): void {
  const lower = text.toLowerCase();
  elementStart.lastIndex = 0;
  for (let found = elementStart.exec(text); found !== null; found = elementStart.exec(text)) {
    const closing =
      found[1] === undefined ? (found[2]?.toLowerCase() ?? '[/code') : `</${found[1].toLowerCase()}`;
    const close = lower.indexOf(closing, elementStart.lastIndex);
    // Without an end it is none, and neither are further ones.
    if (close === -1) return;
    spans.push([found.index, close]);
    elementStart.lastIndex = close + closing.length;
  }
}

/** A line of four spaces or a tab behind a blank line, as Markdown writes code; it ends at the next blank line. */
const indented = /(?:^|\n[ \t]*\r?\n)(?=(?: {4}|\t)[ \t]*\S)/g;
const blankLine = /\n[ \t]*\r?\n/g;

function addIndented(text: string, spans: Span[]): void {
  indented.lastIndex = 0;
  for (let found = indented.exec(text); found !== null; found = indented.exec(text)) {
    blankLine.lastIndex = found.index + found[0].length;
    const end = blankLine.exec(text)?.index ?? text.length;
    spans.push([found.index, end]);
    // The blank line behind it may be the one before the next.
    indented.lastIndex = Math.max(end, found.index + 1);
  }
}

const inlineCode = /(?<!`)`[^`\n]{1,400}`(?!`)/g;
/** Quotes as sentences have them: a space or a bracket before, a space or the end of a sentence behind. */
const quoted =
  /(?<=^|[\s(:])(?:"(?!\s)[^"\n]{1,400}(?<!\s)"|\xe2\x80\x9c[^\n]{1,200}?\xe2\x80\x9d)(?=$|[\s.,;:!?)])/g;

function addMatches(text: string, pattern: RegExp, spans: Span[]): void {
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text))
    spans.push([found.index, pattern.lastIndex]);
}

/** Lines as programs have them and sentences do not. */
const codeLine =
  /[;{}(,=>\]\\]\s*$|\w\([^()\s]{0,60}\)\s*$|^\s*(?:[{}()<>@$]|\/[/*]|\*\s|\*\/|#(?:!|include|define|if|endif|pragma)|(?:import|export|const|let|var|function|class|return|if|else|for|while|def|static|public|private|struct|typedef|interface|type|create|insert|alter|drop|set|echo|case|esac|done|fi|then|do|using|package|require|async|await|from \S+ import|param|switch|break|try|catch|extern|namespace|template|virtual|void|int|char|bool|unsigned|"[\w.$/@-]+":)\b)/i;

/** So many such lines are no attack any more. */
const codeLinesMin = 4;
/** So many are the source of a program. */
const sourceLinesMin = 8;

/** What programs say when they fail. */
const trace =
  /^(?:Traceback \(|[^\S\n]{1,40}(?:File "[^"\n]{1,200}", line \d|at [^\n]{1,200}(?::\d|\(\w+\.java)))/m;

/** A line that only scripts of shells have. */
const shellBlockEnd = /^[ \t]*(?:fi|done|esac)[ \t]*$/m;

function countCodeLines(text: string): number {
  let code = 0;
  let all = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + lineCharactersMax));
    spendSteps(stepsPerText + stepsPerLineCharacter * line.length);
    if (line.trim() !== '') {
      all++;
      if (codeLine.test(line) && !isProse(line)) code++;
    }
    start = end + 1;
  }
  if (all > 1 && trace.test(text)) return sourceLinesMin;
  if (code > 1 && all > 3 && shellBlockEnd.test(text)) return Math.max(code, codeLinesMin);
  if (code === all && all > 2 && firstLine.test(text)) return Math.max(code, codeLinesMin);
  return code * 2 >= all ? code : 0;
}

/** What the source of a program begins with. */
const firstLine =
  /^\s{0,80}(?:import|from|const|let|var|function|class|def|using|package|public|export|async|interface|type|#include|#!|\/\/|\/\*|create|param)\b/i;

/** The beginning of a line says what it is. */
const lineCharactersMax = 400;

/** Of a text without lines, so many signs of code in so many characters. */
const denseCharactersMin = 1_000;
const denseShare = 0.06;

function isDenseCode(text: string): boolean {
  if (text.length < denseCharactersMin) return false;
  let count = 0;
  for (let index = 0; index < text.length; index++) count += codeSigns[text.charCodeAt(index) & 0xff]!;
  return count > denseShare * text.length;
}

const codeSigns = new Uint8Array(256);
for (const sign of '(){}=;[]') codeSigns[sign.charCodeAt(0)] = 1;
