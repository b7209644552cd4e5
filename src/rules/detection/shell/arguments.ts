/** Classifies the text after the name of a program: the arguments of a command, or the rest of a sentence. */
import { knownTools, wordPrograms } from './programs.ts';

/** Whether nothing follows, or another command does. */
export function isCommandEnd(rest: string): boolean {
  return /^(?:['"]|\s*(?:$|[;|&`)<>#\n\r\0]|%0|\\))/.test(rest);
}

/** Arguments that an attacker wants, whatever precedes the command. */
export function isSensitive(rest: string): boolean {
  return /\/etc\/|\/proc\/|\/dev\/|passwd|shadow|https?:|ftp:|\d{1,9}(?:\.\d{1,9}){3}|boot\.ini|win\.ini|\$\(|\/bin\/|\brf\s+\//i.test(
    rest,
  );
}

/** Files that are not requested by accident. */
export function isSecret(rest: string): boolean {
  return /^\s+(?:\S+\s+){0,2}(?:\/etc\/(?:passwd|shadow)|\/proc\/self|\/dev\/(?:tcp|udp)\/)/.test(rest);
}

/** An absolute path, an address or an option directly after the program: a sentence does not continue like this. */
export function isTelling(rest: string): boolean {
  return /^\s+(?:-{1,2}[\w?]|(?:\S+\s+)?(?:["']?(?:\/(?:etc|proc|dev|var|usr|bin|sbin|root|home|tmp|opt|srv|mnt)\b|~\/|[a-z]:\\|\\\\\w|(?:https?|ftp):\/\/)|\d{1,3}(?:\.\d{1,3}){3}\b))/i.test(
    rest,
  );
}

/** Names that occur in no sentence, whatever follows them. */
const windowsTools =
  /^(?:wmic|certutil|bitsadmin|rundll32|regsvr32|mshta|cscript|wscript|tasklist|taskkill|systeminfo|ipconfig|net1)$/;

/** Arguments that only a command has: options, files, variables, redirections, numbers that end it. */
export function isCommandArgument(rest: string, program: string): boolean {
  if (windowsTools.test(program)) return true;
  // An end tag is not a redirection.
  if (/^\s*[<>]/.test(rest)) return /^\s*[<>]{1,3}\s*(?!\/[a-z]{1,12}>)[&/\w.$'"]/i.test(rest);
  if (/^(?:\+|%20|%09)/.test(rest)) return true;
  const given = /^\s+(\S[^;|&`\n]*)/.exec(rest);
  if (given === null) return /^[$'"\\{]/.test(rest);
  const words = given[1]!.trim().split(/\s+/, 6);
  const [first = ''] = words;
  const isLast = words.length === 1;
  return wordPrograms.has(program)
    ? isWordArgument(program, first, words)
    : isPlainArgument(first, words, isLast && !(knownTools.has(program) && /^[a-z]{3,}\W?$/i.test(first)));
}

/** For a name that is not a word. Up to two plain words in a row are a host or a file; more are a sentence. */
function isPlainArgument(first: string, words: readonly string[], isLast: boolean): boolean {
  if (/[$`*?~{}<>]|^["'\\]/.test(first)) return true;
  if (words.slice(0, 4).some((word) => /[/\\]/.test(word) || /^-{1,2}[\w?]/.test(word))) return true;
  if (/\.\w|\d/.test(first) || words.some((word) => /^[\w-]+\.(?:exe|com|bat|sh|php)$/i.test(word)))
    return true;
  return isLast;
}

/** For a name that is also a word: the argument must be one that cannot follow a word. */
function isWordArgument(program: string, first: string, words: readonly string[]): boolean {
  const isLast = words.length === 1;
  if (/^(?:\/(?:etc|proc|dev|var|root|usr|bin|tmp)\/|[a-z]:\\|https?:\/\/)/i.test(first)) return true;
  if (words.slice(1).filter((word) => /^[a-z]{3,}$/i.test(word)).length >= 2) return false;
  if (/^-{1,2}[\w?]/.test(first) || /[$`]/.test(first)) return true;
  if (/[/\\]/.test(first)) return !/^[a-z]+\/[a-z]+$/i.test(first);
  if (/^\d+(?:\.\d+)*$/.test(first)) return isLast;
  if (/^["']/.test(first)) return program === 'echo' || program === 'print';
  if (program === 'echo')
    return isLast && (first === '*' || /^[A-Z\d]{3,}$/.test(first) || /[A-Za-z0-9+/=]{16,}/.test(first));
  if (program === 'net') return /^(?:user|view|localgroup|share|start|use)$/.test(first);
  if (program === 'reg') return /^(?:query|add|save|export)$/.test(first);
  return isLast && /^[\w-]+\.(?:txt|php|conf|log|ini|sh|py|db|sql|bak|key|pem|xml|cfg|passwd)$/.test(first);
}
