/**
 * Texts inside of a text: the strings of JSON and of GraphQL, the arguments of an address or a form. A value that is a
 * whole document hides its parts from detectors that read a value from start to end.
 */
import { decodeAllEscapes, visitJsonStrings, visitPairs } from '#text';
import { spendSteps } from '#work';
import { stepsPerText } from '../limits.ts';

/** `at` is the position of the text in the outer one. */
export type InnerVisitor = (text: string, name: string, at: number) => void;

const jsonStart = /^\s{0,64}[[{]\s{0,64}(?:["[{\]}]|-?\d|true|false|null)/;
const graphqlStart = /^\s{0,64}(?:(?:query|mutation|subscription|fragment)\b[^{]{0,400})?\{/;
const address = /^(?:[a-z][a-z0-9+.-]{1,20}:)?\/{1,2}[^?\s]{0,2000}\?/i;
const form = /^[\w.[\]-]{1,80}=/;

/** A token: two JSON documents in Base64, and a signature. */
const token = /^(?:bearer\s{1,4})?(ey[\w-]{8,8000})\.(ey[\w-]{8,16000})\./i;

export function looksLikeToken(text: string): boolean {
  return text.startsWith('ey') || /^bearer\s/i.test(text);
}

export function visitInnerTexts(text: string, visit: InnerVisitor): void {
  const parts = looksLikeToken(text) ? token.exec(text) : null;
  if (parts !== null) {
    const [, head = '', claims = ''] = parts;
    visit(decodePart(head), 'head of the token', 0);
    visit(decodePart(claims), 'claims of the token', head.length + 1);
    return;
  }
  if (jsonStart.test(text)) {
    const [from, to] = findScripts(text);
    let key = '';
    visitDecodedStrings(text, (value, isName, at) => {
      const name = isName || !isBehindColon(text, at) ? '' : key;
      visit(value, at > from && at < to ? `${scripts}${name}` : name, at);
      key = isName && value.length <= keyCharactersMax ? value : '';
    });
    return;
  }
  if (text.includes('{') && text.includes('"') && graphqlStart.test(text)) {
    visitDecodedStrings(text, (value, _, at) => visit(value, '', at));
    return;
  }
  const query = address.exec(text)?.[0].length ?? (form.test(text) ? 0 : -1);
  if (query !== -1) visitArguments(text, query, visit);
}

/** The prefix of names for commands in the manifest of a package. */
export const scripts = 'scripts.';

const manifest = /"version"\s{0,8}:\s{0,8}"\d/;
const commands =
  /"scripts"\s{0,8}:\s{0,8}\{(?:\s{0,80}"(?:[^"\\]|\\.){1,80}"\s{0,8}:\s{0,8}"(?:[^"\\]|\\.){0,2000}"\s{0,80},?){1,200}\s{0,80}\}/;

/** The range of the commands of a package in its manifest. */
function findScripts(text: string): readonly [from: number, to: number] {
  const found = text.includes('"scripts"') && manifest.test(text) ? commands.exec(text) : null;
  return found === null ? [0, 0] : [found.index, found.index + found[0].length];
}

function decodePart(text: string): string {
  return Buffer.from(text, 'base64url').toString('latin1');
}

/** Strings in double quotes, with their escapes decoded, whether or not the surrounding text is valid. */
export function visitDecodedStrings(
  text: string,
  visit: (value: string, isName: boolean, at: number) => void,
): void {
  visitJsonStrings(text, (start, end, isName) => {
    spendSteps(stepsPerText);
    visit(decodeAllEscapes(text.slice(start, end)), isName, start);
  });
}

/** Longer names do not help readers. */
const keyCharactersMax = 60;

/** Whether the text that starts here, with a quote before it, is the value of a name. */
function isBehindColon(text: string, from: number): boolean {
  let at = from - 2;
  while (text.charCodeAt(at) <= 0x20) at--;
  return text[at] === ':';
}

function visitArguments(text: string, from: number, visit: InnerVisitor): void {
  visitPairs(
    text,
    (start, nameEnd, valueStart, end) => {
      spendSteps(stepsPerText);
      const [name, valueAt] = nameEnd === valueStart ? ['', start] : [text.slice(start, nameEnd), valueStart];
      const value = text.slice(valueAt, end);
      // A text without any pair in it is not a form.
      if (value.length > 1 && value.length < text.length)
        visit(value.includes('+') ? value.replaceAll('+', ' ') : value, name, valueAt);
    },
    { from },
  );
}
