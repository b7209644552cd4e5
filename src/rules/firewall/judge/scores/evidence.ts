/**
 * Two signs that are in doubt alone and sure together: a detector that finds an attack likely, and rules that score, sound
 * ones about attacks, that add up to enough. Then the rule acts that would act if the detector itself were sure.
 *
 * The rulesets may run in either order, at either level. Whichever comes second brings the two together, so a ruleset that
 * is there as evidence only is judged for the few requests in which a detector finds something likely.
 */
import type { VerdictAction } from '../../actions.ts';
import type { CatalogueRule } from '../managed-catalogue.ts';
import type { Contribution, Triggered } from '../judgement.ts';

/** The level at which ordinary requests seldom match. */
const soundLevel = 'paranoia-level-1';

/** What rules act on. */
interface ActingRun {
  readonly isOver: boolean;
  act(action: VerdictAction, rule: Omit<Triggered, 'action'>): boolean;
}

/** Whether what the rule finds can support a detector. */
export function isEvidence({ scoreIncrement, categories }: CatalogueRule): boolean {
  return scoreIncrement !== undefined && categories.includes(soundLevel);
}

/** What becomes of a likely attack if it is sure. */
interface Suspicion {
  readonly action: VerdictAction;
  readonly rule: Omit<Triggered, 'action'>;
  /** Rules with other tags are about something else. */
  readonly tags: readonly string[];
  readonly scoreMin: number;
}

/** Where rules that score were deployed. */
export interface EvidenceSource {
  /** Rules that are watched make nothing act. */
  readonly isWatched: boolean;
  /** Of the rules that are evidence, those that matched. */
  readonly list: () => readonly EvidenceFound[];
}

interface EvidenceFound {
  readonly rule: CatalogueRule;
  readonly contribution: Contribution;
}

/** Of one request. */
export class Evidence {
  readonly #suspicions: Suspicion[] = [];
  readonly #sources: EvidenceSource[] = [];

  /** A detector finds an attack likely. Answers whether its list goes on. */
  suspect(run: ActingRun, suspicion: Suspicion): boolean {
    this.#suspicions.push(suspicion);
    return this.#sources.every((source) => actTogether(run, suspicion, source));
  }

  /** Rules that score have run, or could. */
  offer(run: ActingRun, source: EvidenceSource): void {
    let listed: readonly EvidenceFound[] | undefined;
    const remembered = { ...source, list: () => (listed ??= source.list()) };
    this.#sources.push(remembered);
    for (const suspicion of this.#suspicions) {
      if (run.isOver) return;
      actTogether(run, suspicion, remembered);
    }
  }
}

function actTogether(
  run: ActingRun,
  { action, rule, tags, scoreMin }: Suspicion,
  { isWatched, list }: EvidenceSource,
): boolean {
  const contributions = list()
    .filter(({ rule: { categories } }) => categories.some((category) => tags.includes(category)))
    .map(({ contribution }) => contribution);
  const total = sumScores(contributions);
  if (run.isOver || total < scoreMin) return !run.isOver;
  const evidence = { total, threshold: scoreMin, contributions };
  const description = `${rule.description} (likely by itself, confirmed by rules that score ${total})`;
  return run.act(isWatched ? 'log' : action, { ...rule, description, evidence });
}

export function sumScores(contributions: readonly Contribution[]): number {
  return contributions.reduce((sum, { score }) => sum + score, 0);
}
