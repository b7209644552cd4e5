/**
 * Commands of shells: behind a separator, in a substitution, or as the whole text, a program that exists, with arguments
 * that a command has and a sentence has not. Markdown, lists and prose have the same signs and other words.
 */
import type { Detector, Reading } from '../finding.ts';
import { pickSurer } from '../finding.ts';
import { isDocument, isProse } from '../prose.ts';
import { detectPowerShell } from './detect-powershell.ts';
import { knownTools, wordPrograms } from './programs.ts';
import { findProgram, readShellWord, type ShellWord } from './words.ts';

/** Where a command may begin, beside the beginning of the text. */
const openings =
  /\$\(|`|<\(|>\(|\|\|?|&&?|;|\r?\n|%0[ad]|["'](?=\s*(?:;|\||&))|\{(?=[\w/]+,)|(?<=[=(:])\s?(?=\/(?:usr\/(?:local\/)?)?s?bin\/)/gi;

/** Openings that are looked at; a text with more of them is a table or a document. */
const openingsMax = 400;

export const detectShell: Detector = (text) => {
  const marks = readMarks(text);
  if (marks !== undefined && marks.confidence >= 90) return marks;
  let found = pickSurer(marks, pickSurer(readWhole(text), detectPowerShell(text)));
  openings.lastIndex = 0;
  for (let count = 0, opening = openings.exec(text); opening !== null && count < openingsMax; count++) {
    found = pickSurer(found, readCommand(text, opening.index, opening[0]));
    if (found !== undefined && found.confidence >= 93) break;
    openings.lastIndex = Math.max(openings.lastIndex, opening.index + 1);
    opening = openings.exec(text);
  }
  return found;
};

/** Spellings that only commands have. */
const marks: readonly (readonly [mark: RegExp, confidence: number, why: string])[] = [
  [/\(\s*\)\s*\{[^}]{0,80}\}\s*;/, 94, 'a function of a shell in a variable (Shellshock)'],
  [/\/dev\/(?:tcp|udp)\/[\w.$]/i, 95, 'a connection opened by the shell'],
  [/[\w;|&')}]\$\{?IFS\b\}?[^\s"]|\$\{IFS[%:}]|\$IFS\$\d/, 93, 'the variable IFS in place of spaces'],
  [/(?:^|[;|&\s`(])(?:\/bin|\/usr\/bin)\/(?:ba|da|z|k|c)?sh\s+-[ci]\b/i, 94, 'a shell with a command'],
  [/\$u\/(?:bin|usr|etc)\b|\/(?:bin|etc)\$[a-z@*{]/i, 92, 'empty variables inside of a path'],
  [/\$\(\(\s*\d+\s*[-+*/]\s*\d+\s*\)\)/, 84, 'arithmetic of a shell'],
  [/\bcmd(?:\.exe)?\s*\/[ck]\b\s*\S/i, 92, 'a command for cmd.exe'],
  [/%(?:comspec|systemroot)%/i, 88, 'a variable of cmd.exe'],
  [/\b(?:nc|ncat|netcat)\s+(?:-\w+\s+){0,4}(?:[\w.-]+\s+\d{2,5}|-e\b)/i, 86, 'a connection with netcat'],
  [/\b(?:bash|sh)\s+-i\b.{0,8}[<>]/i, 95, 'an interactive shell'],
];

function readMarks(text: string): Reading | undefined {
  let found: Reading | undefined;
  for (const [mark, confidence, why] of marks) {
    const match = mark.exec(text);
    if (match === null) continue;
    const isTalk = isDocument(text) || /\w[^\w\s]*\s+[^\w\s]*\w{2}/.test(text.slice(0, match.index));
    const sure = confidence < 95 && isTalk ? Math.min(confidence, 65) : confidence;
    found = pickSurer(found, {
      confidence: sure,
      why,
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return found;
}

/** The whole text as one command: `cat /etc/passwd`, `/bin/ls -al`, `ping -c 3 x`. */
function readWhole(text: string): Reading | undefined {
  const start = /^["'\s(]*/.exec(text)![0].length;
  const word = readShellWord(text, start);
  if (word === undefined || text.length > 2_000) return undefined;
  const program = findProgram(word);
  if (program === undefined) return undefined;
  const rest = text.slice(word.end);
  const isPath =
    /^\/?(?:usr\/(?:local\/)?)?s?bin\//.test(word.text) ||
    (word.text.includes('/') && /[?*]/.test(word.text));
  const create = (confidence: number, why: string): Reading => ({
    confidence: isDocument(text) ? Math.min(confidence, 60) : confidence,
    why,
    start,
    end: Math.min(text.length, word.end + 60),
  });
  if (word.isDisguised && /[/\w]/.test(word.text)) return create(88, `the program ${program} in disguise`);
  if (isPath && (rest === '' || /^\s+[-/"'\w$*?]/.test(rest))) return create(86, `the program ${program}`);
  // A file that only commands read, or an option and a host.
  if (
    /^\s+(?:\S+\s+){0,3}(?:\/etc\/|\/proc\/|\/var\/|\/root\b|\/home\/|[a-z]:\\|~\/|\.\.\/|\/bin\/)/i.test(
      rest,
    )
  )
    return create(86, `the program ${program} with a file`);
  if (/^\s+(?:-\w+\s+\S+|\/c\b)/.test(rest) && !wordPrograms.has(program))
    return create(70, `the program ${program} with options`);
  return undefined;
}

function readCommand(text: string, openingAt: number, opening: string): Reading | undefined {
  let at = openingAt + opening.length;
  const skipped = skipBlanks(text, at);
  const hasSpace = skipped > at;
  at = skipped;
  const word = readShellWord(text, opening === '{' ? openingAt + 1 : at);
  if (word === undefined || word.text === '') return undefined;
  const program = findProgram(opening === '{' ? { ...word, text: word.text.replaceAll(',', ' ') } : word);
  if (program === undefined) return undefined;
  const confidence = judgeCommand({ text, word, program, opening, hasSpace, openingAt });
  if (confidence === 0) return undefined;
  const why = `the program ${program} ${opening === '$(' || opening === '`' ? 'in a substitution' : 'behind a separator'}`;
  return { confidence, why, start: openingAt, end: Math.min(text.length, word.end + 60) };
}

/** Spaces, and assignments and words that stand before the program. */
const blanks =
  /(?:[ \t\v\f]|\$\{?IFS[^}\s]{0,12}\}?(?:\$\d)?|\b(?:sudo|nohup|exec|eval|command|time|env|do|then|if|while)\s+|["'](?=[\w/]))*/y;

function skipBlanks(text: string, at: number): number {
  blanks.lastIndex = at;
  blanks.test(text);
  return blanks.lastIndex;
}

interface Command {
  readonly text: string;
  readonly word: ShellWord;
  readonly program: string;
  readonly opening: string;
  readonly hasSpace: boolean;
  readonly openingAt: number;
}

/** What may follow the first argument for it to be a command and no sentence. */
const commandEnd = /^\s*(?:$|[;|&`)<>#'"\n\r\0]|%0|\\)/;

function judgeCommand(command: Command): number {
  const { text, word, program, opening } = command;
  const rest = text.slice(word.end, word.end + 300);
  const isPath = /[/\\]/.test(word.text);
  if (word.isDisguised && !/^[\w-]+\.[\w-]+$/.test(word.text)) return 90;
  const isSubstitution = opening === '$(' || opening === '`' || opening === '<(' || opening === '>(';
  if (isSubstitution) return judgeSubstitution(command, rest);
  if (opening === '{') return /^[^{}\n]{1,120}\}/.test(rest) || word.text.includes(',') ? 88 : 0;
  // Lines of a document are no commands, unless there are few.
  const sure = isDocument(text) ? 65 : 92;
  if (/[?*]/.test(word.text) && isPath) return sure;
  if (isPath && !/^https?:/i.test(word.text))
    return /^\S*s?bin\//.test(word.text) || commandEnd.test(rest) ? sure : 75;
  if (commandEnd.test(rest)) return judgeAlone(command, rest, sure);
  if (isCommandArgument(rest, program)) {
    // "work 8; sleep 8; play 8"
    const isPhrase = /\w\s+\w/.test(text.slice(0, command.openingAt));
    if (isPhrase && knownTools.has(program)) return 65;
    return isPhrase && wordPrograms.has(program) && /^\s+\d+\s*(?:$|[;|&])/.test(rest) ? 60 : sure;
  }
  return 0;
}

/** The program without arguments. */
function judgeAlone(
  { program, opening, hasSpace, text, openingAt }: Command,
  rest: string,
  sure: number,
): number {
  // `| id | name |` is a row of a table.
  if (opening === '|' && hasSpace && /^\s+\|/.test(rest)) return 0;
  if (knownTools.has(program)) return 0;
  // `name|id|email` is a list.
  if (opening === '|' && /(?:^|\|)[a-z_]{3,}$/i.test(text.slice(0, openingAt))) return Math.min(sure, 60);
  if (!wordPrograms.has(program)) return sure;
  const isEnd = /^\s*(?:$|[#\0'"`;|&])/.test(rest);
  // `Tom & Jerry; who`: a word at the end of a sentence says nothing, one that nobody ends a sentence with does.
  if (!isEnd || !/^(?:id|dir|ver|who|w|set|date|users|groups|history)$/.test(program)) return 0;
  const before = text.slice(0, openingAt);
  return hasSpace && /[a-z]{2,}\s+[a-z]{2,}/i.test(before) ? 55 : Math.min(sure, 86);
}

/** Arguments that only a command has: options, files, variables, redirections, numbers that end it. */
function isCommandArgument(rest: string, program: string): boolean {
  if (/^\s*[<>]/.test(rest)) return /^\s*[<>]{1,2}\s*[&/\w.$]/.test(rest);
  if (/^(?:\+|%20|%09)/.test(rest)) return true;
  const argument = /^\s+(\S+)(.*)/s.exec(rest);
  if (argument === null) return /^[$'"\\{]/.test(rest);
  const [, first, behind] = argument as unknown as [string, string, string];
  if (/^-{1,2}[\w?]/.test(first) && !/^-+$/.test(first)) return !/^-\s/.test(first);
  if (/[$`*?~{}<>]|^["'\\]/.test(first)) return !/^["'][a-z]+$/i.test(first) || program === 'echo';
  if (/[/\\]/.test(first)) return !/^[a-z]+\/[a-z]+$/i.test(first) || !wordPrograms.has(program);
  const plain = first.replace(/[;|&`)'"\n].*$/s, '');
  const isLast = plain !== first || commandEnd.test(behind);
  if (/^\d+(?:\.\d+)*$/.test(plain)) return isLast || /^(?:ping|nc|telnet|nslookup|nmap|kill)$/.test(program);
  if (wordPrograms.has(program))
    return (
      isLast &&
      (/\.\w{1,5}$/.test(plain) ||
        (program === 'echo' && /^[A-Z\d]{3,}$/.test(plain)) ||
        (program === 'net' && /^(?:user|view|localgroup|share|start)$/.test(plain)))
    );
  if (/\.\w/.test(plain) || /\d/.test(plain)) return true;
  return isLast;
}

/** `$(…)` and back quotes. Markdown writes code between back quotes, scripts of pages look up elements with `$(…)`. */
function judgeSubstitution({ text, word, program, opening, openingAt }: Command, rest: string): number {
  if (opening === '`') {
    const close = text.indexOf('`', word.end);
    // Fences of Markdown, and code of several lines.
    if (close === -1 || text[openingAt + 1] === '`' || text[openingAt - 1] === '`') return 0;
    if (text.slice(openingAt, close).includes('\n')) return 0;
    const outside = text.slice(0, openingAt) + text.slice(close + 1);
    if (/[a-z]{2,}\s+[a-z]{2,}/i.test(outside) || isProse(text)) return 0;
    const isAlone = text.slice(word.end, close).trim() === '';
    return isAlone && (knownTools.has(program) || /\s/.test(outside.trim())) ? 60 : 86;
  }
  if (/^\)\s*\./.test(rest) || /^\s*[.,]/.test(rest)) return 0;
  return isDocument(text) ? 65 : 90;
}
