/** Why an expression matched a request, or why not: each part with its result and the value that it saw. */
import './explanation-tree.css';
import type { JudgedPart } from '../api/judged.ts';

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
  const { text, result, field, value, matched, parts } = part;
  return (
    <li>
      <div className="explanation-part" data-result={result}>
        <span className="explanation-result">{words[result]}</span>
        <code className="explanation-text">{text}</code>
        {field !== undefined && (
          <span className="explanation-value">
            {field} was <SeenValue value={value ?? ''} marks={(matched ?? []).map((each) => each.text)} />
          </span>
        )}
      </div>
      {parts !== undefined && (
        <ul>
          {parts.map((each, index) => (
            <Part key={index} part={each} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** The value as text, with what matched marked where it stands. */
function SeenValue({ value, marks }: { readonly value: string; readonly marks: readonly string[] }) {
  const mark = marks.find((each) => each !== '' && value.includes(each));
  if (value === '') return <code>(empty)</code>;
  if (mark === undefined) return <code>{value}</code>;
  const start = value.indexOf(mark);
  return (
    <code>
      {value.slice(0, start)}
      <mark>{mark}</mark>
      {value.slice(start + mark.length)}
    </code>
  );
}
