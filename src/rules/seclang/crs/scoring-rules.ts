/** The rules of a version that add to the score of a request or of its response, with their own metadata. */
import { describeRules } from '../load-rules.ts';
import type { RuleDescription } from '../rule-description.ts';
import { type RuleFiles, toRuleSource } from './rule-files.ts';

export interface ScoringRule {
  /** The number of the rule in CRS. */
  readonly number: number;
  /** Without macros: it is shown without a request. */
  readonly description: string;
  readonly tags: readonly string[];
  /** From 1 to 4. Each level finds more attacks, and more false positives. */
  readonly paranoiaLevel: number;
  readonly score: number;
}

/** The score of a match by severity, unless the set-up file is changed. */
const severityScores: Readonly<Record<string, number>> = { critical: 5, error: 4, warning: 3, notice: 2 };

/** In the phases of the request. */
export function listScoringRules(files: RuleFiles): readonly ScoringRule[] {
  return listRules(files, ({ phase }) => phase <= 2);
}

/** In the phases of the response, which has its own score. */
export function listResponseRules(files: RuleFiles): readonly ScoringRule[] {
  return listRules(files, ({ phase }) => phase === 3 || phase === 4);
}

function listRules(files: RuleFiles, isListed: (rule: RuleDescription) => boolean): readonly ScoringRule[] {
  const described = describeRules(toRuleSource(files)).filter(isListed);
  return described.flatMap(({ id, message, tags, assignments }) => {
    const added = assignments.map(readAddition).find((each) => each !== undefined);
    if (added === undefined) return [];
    const tagged = tags
      .map((tag) => /^paranoia-level\/([1-4])$/.exec(tag)?.[1])
      .find((level) => level !== undefined);
    return [
      {
        number: id,
        description: message.replaceAll(/\s*%\{[^}]*\}/g, ''),
        tags,
        paranoiaLevel: tagged === undefined ? added.level : Number(tagged),
        score: added.score,
      },
    ];
  });
}

/** `tx.inbound_anomaly_score_pl2=+%{tx.critical_anomaly_score}` */
function readAddition(assignment: string): { readonly score: number; readonly level: number } | undefined {
  const found = /^tx\.(?:inbound_|outbound_)?anomaly_score(?:_pl([1-4]))?=\+(.+)$/i.exec(assignment);
  if (found === null) return undefined;
  const [, level = '1', amount = ''] = found;
  const severity = /^%\{tx\.([a-z]+)_anomaly_score\}$/i.exec(amount)?.[1]?.toLowerCase();
  const score = severity === undefined ? Number(amount) : severityScores[severity];
  return score === undefined || !(score > 0) ? undefined : { score, level: Number(level) };
}
