/** Notations that occur only in commands. */
import { pickSurer, type DetectorReading } from '../finding.ts';
import { isProse } from '../prose.ts';
import { Shapes } from '../shapes.ts';

const marks = new Shapes([
  [
    /(?<![\w$]\s?)\(\s{0,9}\)\s{0,9}\{(?:[^}]{0,80}\}\s{0,9}[;>]|\s{0,9}\(\w\)=>)/,
    94,
    'a function of a shell in a variable (Shellshock)',
  ],
  [/\/dev\/(?:tcp|udp)\/[\w.$]/i, 95, 'a connection opened by the shell'],
  [/[\w;|&')}]\$\{?IFS\b\}?[^\s"]|\$\{IFS[%:}]|\$IFS\$\d/, 93, 'the variable IFS in place of spaces'],
  [/(?:^|[;|&\s`(])(?:\/bin|\/usr\/bin)\/(?:ba|da|z|k|c)?sh\s{1,9}-[ci]\b/i, 94, 'a shell with a command'],
  [/\$u\/(?:bin|usr|etc)\b|\/(?:bin|etc)\$[a-z@*{]/i, 92, 'empty variables inside of a path'],
  [/\$\(\(\s{0,9}\d+\s{0,9}[-+*/]\s{0,9}\d+\s{0,9}\)\)/, 84, 'arithmetic of a shell'],
  [/\bcmd(?:\.exe)?\s{0,9}\/[ck]\b\s{0,9}\S/i, 92, 'a command for cmd.exe'],
  [/\bfor\s{1,9}\/[a-z]\s{1,9}(?:"[^"]{0,60}"\s{1,9})?%/i, 92, 'a loop of cmd.exe'],
  [
    /\bcertutil(?:\.exe)?\s{1,9}-(?:urlcache|decode|f)\b|\bbitsadmin(?:\.exe)?\s{1,9}\/transfer|\bmshta(?:\.exe)?\s{1,9}(?:https?|vbscript|javascript):/i,
    90,
    'a tool of Windows that loads or runs something',
  ],
  [
    /\bmkfifo\s{1,9}\/tmp\/|\bbase64\s{1,9}(?:-d|--decode)\s{0,9}\|\s{0,9}(?:ba)?sh\b/,
    92,
    'a command that opens a shell',
  ],
  // Of several that start, the last one: so each is read only up to the next.
  [
    /\b(?:wget|curl)\s(?:(?!\b(?:wget|curl)\s[^\n;|&]{4})[^\n;|&]){4,200}(?:;|\||&&)\s{0,9}(?:chmod\s{1,9}(?:\+?x\b|[0-7]{3})|(?:ba|da)?sh\b)/,
    86,
    'a program that is loaded and run',
  ],
  [/%(?:comspec|systemroot)%/i, 88, 'a variable of cmd.exe'],
  [
    /\b(?:nc|ncat|netcat)\s{1,9}(?:-\w+\s{1,9}){0,4}(?:[\w.-]{1,80}\s{1,9}\d{2,5}|-e\b)/i,
    86,
    'a connection with netcat',
  ],
  [/\b(?:bash|sh)\s{1,9}-i\b.{0,8}[<>]/i, 95, 'an interactive shell'],
  [
    /(?:^|\s)-{1,2}(?:(?:upload-pack|receive-pack|use-askpass|exec-path|to-command|use-compress-program|rsync-path|rsh|open-files-in-pager|pre-command)\s?=\s?\S|checkpoint-action\s?=\s?exec|o\s?(?:ProxyCommand|LocalCommand|PermitLocalCommand)\s?=|c\s?core\.(?:sshCommand|pager|editor|fsmonitor)\s?=)|\bext::(?:ba)?sh\b/i,
    88,
    'an option that runs a command',
  ],
  [/;\s?\w{1,20}=[\w/'"]{1,40};[^]{0,80}\$\w+\$\w+/, 88, 'a command put together of variables'],
]);

export function readShellMarks(text: string): DetectorReading | undefined {
  let found: DetectorReading | undefined;
  for (const [mark, confidence, why] of marks.in(text)) {
    const match = mark.exec(text);
    if (match === null) continue;
    const end = match.index + match[0].length;
    // Options before it are not words of a sentence.
    const before = text.slice(0, match.index).replaceAll(/\s-{1,2}[\w-]{1,40}(?:=\S{0,80})?(?=\s|$)/g, '');
    const isTalk = isProse(text) || /\w[^\w\s]*\s+[^\w\s]*\w{2}/.test(before);
    const isSaid = confidence >= 94 || !isTalk || /[;|&`(]\s{0,9}$/.test(before);
    const sure = isSaid ? confidence : Math.min(confidence, 65);
    found = pickSurer(found, {
      confidence: sure,
      why,
      start: match.index,
      end,
    });
  }
  return found;
}
