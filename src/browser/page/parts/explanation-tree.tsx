/**
 * Why an expression matched a request, or why not: each part with its result, the values that it saw, and the matched
 * bytes. The deciding parts come first, and the rest is folded.
 */
import './explanation-tree.css';
import type { ReactNode } from 'react';
import type { JudgedMatch, JudgedPart } from '../api/types.ts';

const words: Readonly<Record<JudgedPart['result'], string>> = {
  true: 'true',
  false: 'false',
  'not reached': 'not needed',
};

export function ExplanationTree({ part }: { readonly part: JudgedPart }) {
  return (
    <ul className="explanation" aria-label="Explanation">
      <Part part={part} />
    </ul>
  );
}

function Part({ part }: { readonly part: JudgedPart }) {
  const { text, result, field, value, matched = [], parts = [] } = part;
  return (
    <li>
      <div className="explanation-part" data-result={result}>
        <span className="explanation-result">{words[result]}</span>
        <PartText text={text} isWhole={parts.length > 0} />
        {field !== undefined && (
          <span className="explanation-value">
            {field} was{' '}
            <code>{value === undefined || value === '' ? '(empty)' : markMatches(value, matched)}</code>
            {matched.slice(0, placesMax).map((match, index) => (
              <span key={index}>{describePlace(match)}</span>
            ))}
          </span>
        )}
      </div>
      {parts.length > 0 && <Parts parts={parts} result={result} />}
    </li>
  );
}

/** The parts with the same result as the whole decided it. */
function Parts({ parts, result }: Pick<JudgedPart, 'result'> & { readonly parts: readonly JudgedPart[] }) {
  const deciding = parts.filter((each) => each.result === result);
  const others = parts.filter((each) => each.result !== result);
  const folded = deciding.length > 0 && others.length > foldedMin;
  return (
    <ul>
      {[...deciding, ...(folded ? [] : others)].map((each, index) => (
        <Part key={index} part={each} />
      ))}
      {folded && (
        <li>
          <details>
            <summary className="small">{others.length} others, which did not decide the result</summary>
            <ul>
              {others.map((each, index) => (
                <Part key={index} part={each} />
              ))}
            </ul>
          </details>
        </li>
      )}
    </ul>
  );
}

/** Fewer than these are not folded. */
const foldedMin = 2;

/** Its parts show the same text in pieces: so the whole of a long one is folded instead of shown twice. */
function PartText({ text, isWhole }: { readonly text: string; readonly isWhole: boolean }) {
  if (!isWhole || text.length <= wholeCharactersMax) return <code className="explanation-text">{text}</code>;
  return (
    <details className="explanation-text">
      <summary className="small">the whole expression</summary>
      <code>{text}</code>
    </details>
  );
}

const wholeCharactersMax = 80;

/** Further places are not informative. */
const placesMax = 3;

function describePlace({ text, start, end, where, why }: JudgedMatch): string {
  if (where !== undefined && why !== undefined) {
    const named = where.name === '' ? `the ${where.kind}` : `the ${where.kind} ${where.name}`;
    return ` (${JSON.stringify(text)} in ${named}: ${why})`;
  }
  const bytes = end - start === 1 ? `byte ${start}` : `bytes ${start} to ${end - 1}`;
  if (where === undefined) return ` (${bytes})`;
  return where.kind === 'path'
    ? ` (in the path, ${bytes})`
    : ` (in the ${where.kind} ${where.name}, ${bytes})`;
}

/** The value with its matches marked. */
function markMatches(value: string, matched: readonly JudgedMatch[]): ReactNode {
  const ranges = matched.flatMap((match) => findInText(value, match)).toSorted((a, b) => a.start - b.start);
  const pieces: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    if (start < at) continue;
    pieces.push(value.slice(at, start), <mark key={start}>{value.slice(start, end)}</mark>);
    at = end;
  }
  return [...pieces, value.slice(at)];
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * In a complete value, the byte offsets locate a match; in a truncated one, or one of several, the text is searched.
 */
function findInText(value: string, { text, start, element }: JudgedMatch): readonly TextRange[] {
  if (text === '') return [];
  if (element === undefined && !value.startsWith('…')) {
    const before = new TextDecoder().decode(new TextEncoder().encode(value).slice(0, start));
    if (value.startsWith(text, before.length))
      return [{ start: before.length, end: before.length + text.length }];
  }
  const found = value.indexOf(text);
  return found < 0 ? [] : [{ start: found, end: found + text.length }];
}
