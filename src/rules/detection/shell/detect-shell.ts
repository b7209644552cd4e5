/**
 * Shell commands: after a separator, in a substitution, or as the whole text, a program that exists, with arguments
 * that occur in commands and not in sentences. Markdown, lists and prose have the same punctuation and other words.
 */
import { spendSteps } from '#work';
import { has } from '../character-classes.ts';
import { type Detector, type DetectorReading, pickSurer } from '../finding.ts';
import { stepsPerCommand, stepsPerOpening } from '../limits.ts';
import { isProse } from '../prose.ts';
import { isCommandArgument, isCommandEnd, isSecret, isSensitive, isTelling } from './arguments.ts';
import { detectPowerShell } from './detect-powershell.ts';
import { readShellMarks } from './marks.ts';
import { knownTools, wordPrograms } from './programs.ts';
import { Surroundings } from './surroundings.ts';
import { findProgram, readShellWord, type ShellWord } from './words.ts';

/** Where a command may start, besides the start of the text. */
const openings = /\$\(|`|<\(|>\(|\|\|?|&&?|;|\r?\n|["'](?=\s{0,9}(?:;|\||&))|\{(?=[\w/\\'"]{1,40},)/g;
/** The same, and programs by path, for a text that names a directory of programs. */
const openingsAndPaths = new RegExp(
  `${openings.source}|(?<=[=(:])\\s?(?=\\/(?:usr\\/(?:local\\/)?)?s?bin\\/)`,
  'gi',
);

/** Openings that are examined; a text with more of them is a table or a document. */
const openingsMax = 400;

/** Without one of these, only a program by its path is an opening. */
const openingBits = has.separator | has.parenthesis | has.quote | has.brace;
const programPath = /bin\//i;

export const detectShell: Detector = (text, bits) => {
  const marks = readShellMarks(text);
  if (marks !== undefined && marks.confidence >= 90) return marks;
  let found = pickSurer(marks, pickSurer(readWhole(text), detectPowerShell(text, bits)));
  const hasPath = programPath.test(text);
  if ((bits & openingBits) === 0 && !hasPath) return found;
  const around = new Surroundings(text);
  const places = hasPath ? openingsAndPaths : openings;
  places.lastIndex = 0;
  for (let count = 0, opening = places.exec(text); opening !== null && count < openingsMax; count++) {
    spendSteps(stepsPerOpening);
    const next = Math.max(places.lastIndex, opening.index + 1);
    found = pickSurer(found, readCommand(around, opening.index, opening[0]));
    if (found !== undefined && found.confidence >= 92) break;
    places.lastIndex = next;
    opening = places.exec(text);
  }
  return found;
};

/** Programs that print a file. */
const readers: ReadonlySet<string> = new Set([
  'cat',
  'tac',
  'nl',
  'less',
  'more',
  'head',
  'tail',
  'type',
  'strings',
]);

/** The whole text as one command: `cat /etc/passwd`, `/bin/ls -al`, `ping -c 3 x`. */
function readWhole(text: string): DetectorReading | undefined {
  const start = /^["'\s(]*/.exec(text)![0].length;
  const word = readShellWord(text, start);
  if (word === undefined || text.length > 2_000) return undefined;
  const program = findProgram(word);
  if (program === undefined) return undefined;
  const rest = text.slice(word.end);
  const create = (confidence: number, why: string): DetectorReading => ({
    confidence: isProse(text) ? Math.min(confidence, 60) : confidence,
    why,
    start,
    end: Math.min(text.length, word.end + 60),
  });
  if (word.isDisguised && /[/\w]/.test(word.text)) return create(88, `the program ${program} in disguise`);
  const isPath =
    /^\/?(?:usr\/(?:local\/)?)?s?bin\//.test(word.text) ||
    (word.text.includes('/') && /[?*]/.test(word.text));
  // "cat /proc/cpuinfo meaning" is a question.
  const asks = /\s[a-z]{3,}\s*\??$/i.test(rest) && !/[;|&]/.test(rest);
  if (isPath && /^\s+[-/"'\w$*?]/.test(rest)) return create(asks ? 60 : 86, `the program ${program}`);
  if (isPath && rest === '') return create(60, `the program ${program}`);
  if (
    /^\s+(?:\S+\s+){0,3}(?:\/etc\/|\/proc\/|\/root\b|[a-z]:\\(?:windows|winnt|boot)|\.\.\/)/i.test(rest) &&
    (/passwd|shadow|self|environ|win\.ini|boot\.ini/i.test(rest) || readers.has(program))
  )
    return create(asks ? 60 : 86, `the program ${program} with a file`);
  if (/^\s+(?:-\w+\s+\S+|\/c\b)/.test(rest) && !wordPrograms.has(program))
    return create(60, `the program ${program} with options`);
  return undefined;
}

function readCommand(around: Surroundings, openingAt: number, opening: string): DetectorReading | undefined {
  const { text } = around;
  const behind = openingAt + opening.length;
  const at = opening === '{' ? openingAt + 1 : skipBlanks(text, behind);
  const word = readShellWord(text, at);
  if (word === undefined || word.text === '') return undefined;
  const program = findProgram(opening === '{' ? { ...word, text: word.text.replaceAll(',', ' ') } : word);
  if (program === undefined) return undefined;
  spendSteps(stepsPerCommand);
  const hasSpace = at > behind;
  const confidence = judgeCommand({ text, around, word, program, opening, hasSpace, openingAt });
  if (confidence === 0) return undefined;
  const why = `the program ${program} ${opening === '$(' || opening === '`' ? 'in a substitution' : 'behind a separator'}`;
  return { confidence, why, start: openingAt, end: Math.min(text.length, word.end + 60) };
}

/** Spaces, and words that may precede the program. */
const blanks =
  /(?:[ \t\v\f]|\$\{?IFS[^}\s]{0,12}\}?(?:\$\d)?|\b(?:sudo|nohup|exec|eval|command|time|do|then|if|while)\s{1,9}|["'](?=[\w/]))*/y;

function skipBlanks(text: string, at: number): number {
  blanks.lastIndex = at;
  blanks.test(text);
  return blanks.lastIndex;
}

interface ShellCommand {
  readonly text: string;
  readonly around: Surroundings;
  readonly word: ShellWord;
  readonly program: string;
  readonly opening: string;
  readonly hasSpace: boolean;
  readonly openingAt: number;
}

function judgeCommand(command: ShellCommand): number {
  const { text, word, program, opening } = command;
  const rest = text.slice(word.end, word.end + 300);
  const isSubstitution = opening === '$(' || opening === '`' || opening === '<(' || opening === '>(';
  if (isSubstitution) return judgeSubstitution(command, rest);
  const sure = judgePlace(command, rest);
  if (word.isDisguised) return Math.min(sure, 90);
  if (opening === '{') return word.text.includes(',') ? Math.min(sure, 88) : 0;
  if (/[/\\]/.test(word.text)) return judgeProgramPath(word.text, rest, sure);
  if (isCommandEnd(rest) && !/^\s*[<>]/.test(rest)) return judgeAlone(command, rest, sure);
  return isCommandArgument(rest, program) ? sure : 0;
}

/** The confidence for a command after a separator, by its surroundings. */
function judgePlace({ text, around, word, opening }: ShellCommand, rest: string): number {
  if (around.isOwnLine) return isSecret(rest) ? 90 : 70;
  // Lines of a text start with any word; after another separator, a path, an address or an option leaves no doubt.
  const isNews = opening.endsWith('\n')
    ? isSecret(rest)
    : isTelling(rest) || /^\/(?:usr\/(?:local\/)?)?s?bin\//.test(word.text);
  if (isProse(text)) return isNews ? 90 : 65;
  return around.hasPhrase && !isSensitive(rest) && (!isNews || around.beginsWithProgram) ? 70 : 92;
}

/** A program by its path. The last part of an address or of a file name does not count. */
function judgeProgramPath(path: string, rest: string, sure: number): number {
  if (/:\/\//.test(path)) return 0;
  if (/^\S*s?bin\//.test(path) || /[?*]/.test(path)) return sure;
  if (!isCommandEnd(rest)) return 0;
  return /^(?:\.|~|\/(?:tmp|var\/tmp|dev\/shm|opt)\/|[a-z]:|\\)/i.test(path) ? sure : Math.min(sure, 60);
}

const listItem = /^[a-z_]{3,}$/i;

/** Names that do not end a sentence. */
const oddWords = /^(?:id|dir|ver|who|w|set|date|users|groups|history)$/;

/** The program without arguments. */
function judgeAlone(command: ShellCommand, rest: string, sure: number): number {
  const { program, opening, hasSpace, text, around, openingAt } = command;
  // `| id | name |` is a row of a table.
  if (opening === '|' && hasSpace && /^\s+\|/.test(rest)) return 0;
  if (knownTools.has(program)) return 0;
  // `name|id|email` is a list.
  if (opening === '|' && listItem.test(text.slice(text.lastIndexOf('|', openingAt - 1) + 1, openingAt)))
    return Math.min(sure, 60);
  if (!wordPrograms.has(program)) return around.hasWordsBefore(openingAt) ? Math.min(sure, 70) : sure;
  return /^\s*(?:$|[#\0'"`;|&])/.test(rest) && oddWords.test(program) ? Math.min(sure, 86) : 0;
}

/** `$(…)` and back quotes. Markdown writes code between back quotes, scripts of pages look up elements with `$(…)`. */
function judgeSubstitution(command: ShellCommand, rest: string): number {
  const { text, around, word, program, opening, openingAt } = command;
  if (opening !== '`') {
    // The output of a program as a part of a host name that is looked up.
    const isLabel = /^\)\.(?:[\w-]+\.)+[a-z]{2,}(?![\w(])/i.test(rest) && !wordPrograms.has(program);
    if (!isLabel && (/^\)\s*\./.test(rest) || /^\s*[.,]/.test(rest))) return 0;
    if (around.isOwnLine) return 65;
    const isNews = isTelling(rest) || (!wordPrograms.has(program) && !knownTools.has(program));
    return isProse(text) && !isNews ? 65 : 90;
  }
  const close = text.indexOf('`', word.end);
  // Fences of Markdown, and code of several lines.
  if (close === -1 || text[openingAt + 1] === '`' || text[openingAt - 1] === '`') return 0;
  if (text.slice(openingAt, close).includes('\n') || isProse(text)) return 0;
  if (around.saysMore(openingAt, close)) return 0;
  const isAlone = text.slice(word.end, close).trim() === '';
  return isAlone && knownTools.has(program) ? 60 : 86;
}
