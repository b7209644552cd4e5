/**
 * Combines two signs that are uncertain alone and sure together: a detector that finds a likely attack, and sound
 * scoring rules about attacks whose scores add up to enough. Then the rule acts that would act if the detector itself
 * were sure.
 *
 * The rulesets may run in either order, at either level. Whichever comes second combines the two, so a ruleset that is
 * deployed only as evidence is judged just for the few requests in which a detector finds a likely attack.
 */
import type { VerdictAction } from '#rulesets';
import type { CatalogueRule } from '../managed-catalogue.ts';
import type { Contribution, Triggered } from '../judgement.ts';

/** The level at which ordinary requests seldom match. */
const soundLevel = 'paranoia-level-1';

/** The part of a run that rules act on. */
interface ActingRun {
  readonly isOver: boolean;
  act(action: VerdictAction, rule: Omit<Triggered, 'action'>): boolean;
}

/** Whether matches of the rule can support a detector. */
export function isEvidence({ scoreIncrement, categories }: CatalogueRule): boolean {
  return scoreIncrement !== undefined && categories.includes(soundLevel);
}

/** What to do about a likely attack if it is sure. */
interface Suspicion {
  readonly action: VerdictAction;
  readonly rule: Omit<Triggered, 'action'>;
  /** Rules with other tags are about other attacks. */
  readonly tags: readonly string[];
  readonly scoreMin: number;
}

/** A deployment of scoring rules. */
export interface EvidenceSource {
  /** Watched rules cause no action. */
  readonly isWatched: boolean;
  /** The evidence rules that matched. */
  readonly list: () => readonly EvidenceFound[];
}

interface EvidenceFound {
  readonly rule: CatalogueRule;
  readonly contribution: Contribution;
}

/** The evidence for one request. */
export class Evidence {
  readonly #suspicions: Suspicion[] = [];
  readonly #sources: EvidenceSource[] = [];

  /** Handles a likely attack found by a detector. Returns whether its list continues. */
  suspect(run: ActingRun, suspicion: Suspicion): boolean {
    this.#suspicions.push(suspicion);
    return this.#sources.every((source) => actTogether(run, suspicion, source));
  }

  /** Offers the results of scoring rules, which have run or can be run on demand. */
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
