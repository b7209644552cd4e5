/** Why a request was treated as it was: the expression as a tree, with the bytes that matched marked in what it looked at. */
import type { ReactNode } from 'react';
import {
  type Explained,
  type ExplainedRule,
  type Explanation,
  findRule,
  type Match,
  type Part,
  type Step,
} from './explained.ts';
import { describeSource } from './fields.ts';

export function ExplanationView({ explained }: { readonly explained: Explained }) {
  const { explanation } = explained;
  if (explanation === null)
    return <p className="soft">No explanation was kept of this request, only what the log shows.</p>;
  const rule = findRule(explained);
  return (
    <div className="stack">
      {rule === undefined ? (
        <p className="soft">Of a request that triggers many rules, not every explanation is kept.</p>
      ) : (
        <RuleReasons rule={rule} />
      )}
      <OtherDeciders explanation={explanation} />
      <details className="activity-details">
        <summary>Every step of the evaluation</summary>
        <StepTable steps={explanation.steps} />
        {explanation.rules
          .filter((each) => each !== rule)
          .map((each, index) => (
            <div key={index} className="activity-other-rule">
              <h4>
                {each.action} by {describeSource(each.source)}: {each.description || each.ruleId}
              </h4>
              <RuleReasons rule={each} />
            </div>
          ))}
      </details>
    </div>
  );
}

function RuleReasons({ rule: { tree, score } }: { readonly rule: ExplainedRule }) {
  if (score !== undefined) {
    return (
      <>
        <p>
          The score of the request is <strong>{score.total}</strong>; from {score.threshold} on, the rule
          acts. These rules added to it:
        </p>
        {score.contributions.map(({ ruleId, description, score: added, tree: reasons }) => (
          <details key={ruleId} className="activity-contribution">
            <summary>
              <strong>+{added}</strong> {description || ruleId}
            </summary>
            <Tree part={reasons} />
          </details>
        ))}
      </>
    );
  }
  return tree === undefined ? null : <Tree part={tree} />;
}

function Tree({ part }: { readonly part: Part }) {
  return (
    <ul className="activity-tree">
      <TreeItem part={part} />
    </ul>
  );
}

const marks = { true: '✓', false: '✗', 'not reached': '·' } as const;

function TreeItem({ part }: { readonly part: Part }) {
  const { text, result, field, value, matched = [], parts = [] } = part;
  return (
    <li className={`activity-part activity-part-${result.replace(' ', '-')}`}>
      <span className="activity-mark" aria-hidden="true">
        {marks[result]}
      </span>
      <div>
        <code>{text}</code>
        <span className="visually-hidden"> is {result}</span>
        {value !== undefined && (
          <p className="activity-seen">
            {field} is <code>{markMatches(value, matched)}</code>
            {matched.slice(0, 3).map((match, index) => (
              <span key={index}>{describePlace(match)}</span>
            ))}
          </p>
        )}
        {parts.length > 0 && (
          <ul className="activity-tree">
            {parts.map((each, index) => (
              <TreeItem key={index} part={each} />
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

function describePlace({ start, end, where }: Match): string {
  const bytes = end - start === 1 ? `byte ${start}` : `bytes ${start} to ${end - 1}`;
  if (where === undefined) return ` (${bytes})`;
  return where.kind === 'path'
    ? ` (in the path, ${bytes})`
    : ` (in the ${where.kind} ${where.name}, ${bytes})`;
}

/** The value with what matched in it marked. */
function markMatches(value: string, matched: readonly Match[]): ReactNode {
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

/** Of a value that is shown whole, the bytes say where; of one that was cut, or one of several, the text is looked for. */
function findInText(value: string, { text, start, element }: Match): readonly TextRange[] {
  if (text === '') return [];
  if (element === undefined && !value.startsWith('…')) {
    const before = new TextDecoder().decode(new TextEncoder().encode(value).slice(0, start));
    if (value.startsWith(text, before.length))
      return [{ start: before.length, end: before.length + text.length }];
  }
  const found = value.indexOf(text);
  return found < 0 ? [] : [{ start: found, end: found + text.length }];
}

function OtherDeciders({ explanation: { alsoDeciding = [] } }: { readonly explanation: Explanation }) {
  if (alsoDeciding.length === 0) return null;
  return (
    <div className="note">
      <p>Without this rule, the request would have been stopped by:</p>
      <ul>
        {alsoDeciding.map(({ ruleId, source, action, description }) => (
          <li key={`${source}${ruleId}`}>
            {action} by {describeSource(source)}: {description || ruleId}
          </li>
        ))}
      </ul>
    </div>
  );
}

function StepTable({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label="Steps of the evaluation">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Rules</th>
            <th scope="col" className="number">
              Evaluated
            </th>
            <th scope="col">Matched</th>
            <th scope="col">End</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr key={index}>
              <td>
                {describeSource(step.source)}
                {step.level === 'account' && ' of the account'}
              </td>
              <td className="number">
                {step.reached} of {step.ruleCount}
              </td>
              <td className="mono">{step.matched.join(', ') || '–'}</td>
              <td className="mono">{step.end}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
