/**
 * JavaScript with everything that is not code blanked out: comments, and if asked the insides of strings, templates and
 * regular expressions. Lengths and line breaks stay, so a place in the mask is the same place in the source.
 *
 * Telling a regular expression from a division needs a parser; this goes by what stands before the slash, which
 * is right for code that people write. A slash after `)` counts as a division.
 */
const tokenPattern = new RegExp(
  [
    String.raw`(?<comment>\/\/[^\n]*|\/\*[^]*?\*\/)`,
    String.raw`(?<string>"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')`,
    String.raw`(?<word>[\p{ID_Start}$_][\p{ID_Continue}$]*)`,
    String.raw`(?<number>\d[\w.]*)`,
    String.raw`(?<mark>[^\s])`,
  ].join('|'),
  'uy',
);
const regexPattern = /\/(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+\/\w*/uy;
const templatePartPattern = /(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/uy;
const wordsBeforeRegex =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|else|do|yield|await|instanceof)$/;

export interface Masks {
  /** Without comments. */
  readonly commentless: string;
  /** Without comments, and without what stands in strings, templates and regular expressions. */
  readonly code: string;
}

export function maskSource(source: string): Masks {
  const commentless: string[] = [];
  const code: string[] = [];
  // For each template that is open around this place: how many braces are open in its expression.
  const templates: number[] = [];
  let before = '';
  let at = 0;
  const keep = (text: string): void => void (commentless.push(text), code.push(text));
  const literal = (text: string): void => {
    commentless.push(text);
    code.push(text.length < 2 ? text : text[0] + blank(text.slice(1, -1)) + text.at(-1));
  };
  while (at < source.length) {
    const start = at;
    const token = matchAt(tokenPattern, source, at);
    const text = token?.[0] ?? source[at]!;
    at += text.length;
    if (token?.groups?.['comment'] !== undefined) {
      commentless.push(blank(text));
      code.push(blank(text));
      continue;
    }
    const endsExpression = templates.at(-1) === 0 && text === '}';
    if (text === '`' || endsExpression) {
      if (endsExpression) templates.pop();
      const part = matchAt(templatePartPattern, source, at)?.[0] ?? source.slice(at);
      at += part.length;
      literal(text + part);
      if (part.endsWith('${')) templates.push(0);
      before = '`';
      continue;
    }
    if (text === '{' && templates.length > 0) templates[templates.length - 1]!++;
    if (text === '}' && templates.length > 0) templates[templates.length - 1]!--;
    const regex = text === '/' && startsRegex(before) ? matchAt(regexPattern, source, start)?.[0] : undefined;
    if (regex !== undefined) {
      at = start + regex.length;
      literal(regex);
      before = '/';
    } else {
      if (token?.groups?.['string'] === undefined) keep(text);
      else literal(text);
      if (token !== null) before = text;
    }
  }
  return { commentless: commentless.join(''), code: code.join('') };
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function startsRegex(before: string): boolean {
  return before === '' || /^[(,=:[!&|?{};+\-*%<>~^]$/.test(before) || wordsBeforeRegex.test(before);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
