/** Why a request was treated as it was: the values that each acting rule saw, and every step of the evaluation. */
import type { Judged, JudgedPart, JudgedRule, JudgedStep } from '../../../api/types.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { ExplanationTree } from '../../../parts/explanation-tree.tsx';
import { describeSource } from '../fields.ts';
import { type Explained, findRule } from './explained.ts';
import { describeLooksFor } from './looks-for.ts';

export function ExplanationView({ explained }: { readonly explained: Explained }) {
  const { explanation } = explained;
  if (explanation === null)
    return <p className="soft">No explanation was stored for this request, only the logged fields.</p>;
  const rule = findRule(explained);
  return (
    <div className="stack">
      {rule === undefined ? (
        <p className="soft">For a request that triggers many rules, only some explanations are stored.</p>
      ) : (
        <RuleReasons rule={rule} />
      )}
      <OtherDeciders explained={explained} />
      <details>
        <summary>Every step of the evaluation</summary>
        <DataTable label="Steps of the evaluation" columns={columns} rows={explanation.steps} />
        <Changes explanation={explanation} />
        {explanation.rules
          .filter((each) => each !== rule)
          .map((each, index) => (
            <div key={index}>
              <h3>
                {each.action} by {describeSource(each.source)}: {each.description || each.ruleId}
              </h3>
              <RuleReasons rule={each} />
            </div>
          ))}
      </details>
    </div>
  );
}

function RuleReasons({
  rule: { tree, score, evidence, rate, asked, description },
}: {
  readonly rule: JudgedRule;
}) {
  if (score !== undefined) {
    return (
      <>
        <p>
          The score of the request is <strong>{score.total.toLocaleString()}</strong>; the rule acts at{' '}
          {score.threshold.toLocaleString()} or more. These rules added to it:
        </p>
        <Ledger score={score} />
      </>
    );
  }
  return (
    <>
      {rate !== undefined && (
        <p>
          Too many requests were counted together with this one: <strong>{rate}</strong>.
        </p>
      )}
      {asked !== undefined && (
        <p>
          The rule <strong>{asked}</strong>.
        </p>
      )}
      {tree !== undefined && <LooksFor tree={tree} description={description} />}
      {tree !== undefined && <ExplanationTree part={tree} />}
      {evidence !== undefined && (
        <>
          <p>
            This finding alone is only a likely attack. Scoring rules found more, worth{' '}
            <strong>{evidence.total.toLocaleString()}</strong>; at {evidence.threshold.toLocaleString()} or
            more, both together count as a confirmed attack:
          </p>
          <Ledger score={evidence} />
        </>
      )}
    </>
  );
}

/** Each rule that added to a score, with its reasons. */
function Ledger({ score }: { readonly score: Score }) {
  return (
    <>
      <ScoreBar score={score} />
      {score.contributions.map(({ ruleId, description, score: added, tree }) => (
        <details key={ruleId}>
          <summary>
            <strong>+{added}</strong> {description || ruleId}
          </summary>
          <ExplanationTree part={tree} />
        </details>
      ))}
    </>
  );
}

interface LooksForProps {
  readonly tree: JudgedPart;
  readonly description: string;
}

/** If a rule cannot be described in words, its description is shown. */
function LooksFor({ tree, description }: LooksForProps) {
  const words = describeLooksFor(tree) ?? (description === '' ? undefined : description);
  return words === undefined ? null : <p>The rule looks for {words}.</p>;
}

function Changes({ explanation: { changes = [] } }: { readonly explanation: Judged }) {
  if (changes.length === 0) return null;
  return (
    <>
      <h3>Rules that changed the request</h3>
      <ul>
        {changes.map(({ ruleId, source, description, effect }, index) => (
          <li key={index}>
            {describeSource(source)} {description || ruleId}: {effect}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The points of each rule, beside the threshold. */
function ScoreBar({ score: { total, threshold, contributions } }: { readonly score: Score }) {
  const whole = Math.max(total, threshold, 1);
  return (
    <div className="score-bar" aria-hidden="true">
      {contributions.map(({ ruleId, description, score }, index) => (
        <span
          key={index}
          title={`+${score} ${description || ruleId}`}
          style={{ width: `${(100 * score) / whole}%` }}
        />
      ))}
      <i style={{ left: `${(100 * threshold) / whole}%` }} />
    </div>
  );
}

function OtherDeciders({ explained: { event, explanation } }: { readonly explained: Explained }) {
  const { alsoDeciding = [] } = explanation ?? {};
  if (alsoDeciding.length === 0)
    return isStopping(event.action) && event.matchIndex === 0 ? (
      <p className="soft">Without this rule, the request would have passed.</p>
    ) : null;
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

/** Logged requests, and those that skipped other rules, continued. */
function isStopping(action: string): boolean {
  return action === 'block' || action.endsWith('challenge');
}

type Score = NonNullable<JudgedRule['score']>;

const columns: readonly Column<JudgedStep>[] = [
  {
    title: 'Rules',
    cell: ({ source, level }) => describeSource(source) + (level === 'account' ? ' of the account' : ''),
  },
  {
    title: 'Evaluated',
    kind: 'number',
    cell: ({ reached, ruleCount }) => `${reached.toLocaleString()} of ${ruleCount.toLocaleString()}`,
  },
  { title: 'Matched', kind: 'mono', cell: ({ matched }) => matched.join(', ') || '–' },
  { title: 'End', kind: 'mono', cell: ({ end }) => end },
];
