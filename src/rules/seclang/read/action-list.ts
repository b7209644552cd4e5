/** The last word of a rule: `id:1,phase:2,deny,msg:'text, with a comma',setvar:'tx.score=+5'`. */
import { SecLangError, type SourcePlace } from '../problem.ts';

export interface WrittenAction {
  /** In lower case. */
  readonly name: string;
  /** `""` for an action without an argument. */
  readonly argument: string;
}

export function readActionList(text: string, place: SourcePlace): WrittenAction[] {
  const actions: WrittenAction[] = [];
  let at = 0;
  while (at < text.length) {
    const head = /[\s,]*([A-Za-z_]+)?/y;
    head.lastIndex = at;
    const name = head.exec(text)?.[1];
    at = head.lastIndex;
    if (at >= text.length && name === undefined) break;
    if (name === undefined)
      throw new SecLangError(`expected an action at "${text.slice(at, at + 40)}"`, place);
    let argument = '';
    if (text[at] === ':') {
      const end = findArgumentEnd(text, at + 1, place);
      argument = unquote(text.slice(at + 1, end).trim());
      at = end;
    }
    actions.push({ name: name.toLowerCase(), argument });
  }
  return actions;
}

/** Quotes count where they start the argument, or the part after its `=`: `ctl:…;ARGS:it's` has none. */
function findArgumentEnd(text: string, start: number, place: SourcePlace): number {
  let at = start;
  let isInside = false;
  for (; at < text.length; at++) {
    const character = text[at]!;
    if (character === '\\') at++;
    else if (character === "'") {
      const opens = at === start || text[at - 1] === '=';
      if (isInside || opens) isInside = !isInside;
    } else if (character === ',' && !isInside) return at;
  }
  if (isInside) throw new SecLangError("an argument that begins with ' is not closed", place);
  return text.length;
}

function unquote(text: string): string {
  return text.replace(/^'([^]*)'$/, '$1').replaceAll(String.raw`\'`, "'");
}
