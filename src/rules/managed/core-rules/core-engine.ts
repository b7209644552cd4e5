/**
 * Runs the rules of one version for all zones of a process. They are compiled when the first zone needs them, and then
 * shared: a deployment only selects rules and the paranoia level.
 *
 * - The ruleset adds up the scores, not the rules: their own thresholds and actions have no effect.
 * - The paranoia level is that of the highest rule in force. It overrides the set-up file; all other settings of the
 *   set-up file apply.
 */
import { BoundedMap, realClock } from '#base';
import { nextTurn, OutOfSteps } from '#work';
import type {
  Finding,
  FoundValue,
  OriginResponse,
  ResponseResult,
  ScoringEngine,
  ScoringProgram,
  ScoringResult,
} from '#firewall';
import type { RequestView } from '#expressions';
import {
  type CoreRules,
  loadRules,
  loadRulesInTurns,
  type MatchedRule,
  PersistentCollections,
  type RuleSet,
  runRequest,
  runResponse,
  type ScoringRule,
  toRuleSource,
  Transaction,
} from '#seclang';
import { toSecRequest } from './request-of-view.ts';

/**
 * Loaded after the set-up file: sets the level, under its names in all versions of CRS, and `tx.crs_setup_version`,
 * without which CRS refuses every request. Rules without a set-up file have the defaults of CRS.
 */
const levelFile = {
  name: 'paranoia-level',
  text: `SecAction "id:999999999,phase:1,nolog,pass,t:none,setvar:tx.crs_setup_version=1,${[
    'paranoia_level',
    'executing_paranoia_level',
    'blocking_paranoia_level',
    'detection_paranoia_level',
  ]
    .map((name) => `setvar:'tx.${name}=%{tx.gatehouse_level}'`)
    .join(',')}"\n`,
};

/** Selections of rules that further zones can share; a zone keeps its own anyway. */
const chosenMax = 64;

/** The default of CRS, if the set-up file does not set one. */
const responseThreshold = 4;

interface Judging {
  /** The ids of the rules in the catalogue. */
  readonly ids: ReadonlyMap<number, string>;
  readonly isResponseAwaited: boolean;
}

export class CoreEngine {
  readonly #rules: CoreRules;
  readonly #levels: ReadonlyMap<number, number>;
  readonly #collections = new PersistentCollections(realClock);
  /** By level and disabled rules: most zones have the same selection. */
  readonly #chosen = new BoundedMap<string, RuleSet>(chosenMax);
  #loaded: RuleSet | undefined;

  constructor(rules: CoreRules, scoring: readonly ScoringRule[]) {
    this.#rules = rules;
    this.#levels = new Map(scoring.map(({ number, paranoiaLevel }) => [number, paranoiaLevel]));
  }

  /** Whether a zone has needed the rules. */
  get isLoaded(): boolean {
    return this.#loaded !== undefined;
  }

  /** Compiles the rules, in steps between which requests are served. */
  async prepare(): Promise<void> {
    const source = toRuleSource(this.#rules, levelFile);
    this.#loaded ??= await loadRulesInTurns(source, nextTurn);
  }

  /** The engine for a catalogue with these ids of the rules. */
  named(numbers: ReadonlyMap<string, number>): ScoringEngine {
    const ids = new Map(Array.from(numbers, ([id, number]) => [number, id]));
    return { select: (enabled) => this.#select(new Set([...enabled].map((id) => numbers.get(id)!)), ids) };
  }

  #select(enabled: ReadonlySet<number>, ids: ReadonlyMap<number, string>): ScoringProgram {
    const loaded = (this.#loaded ??= loadRules(toRuleSource(this.#rules, levelFile)));
    const level = Math.max(1, ...Array.from(enabled, (number) => this.#levels.get(number) ?? 1));
    const disabled = new Set([...this.#levels.keys()].filter((number) => !enabled.has(number)));
    const key = [level, ...disabled].join(' ');
    const ruleSet = this.#chosen.get(key) ?? chooseRules(loaded, disabled, level);
    this.#chosen.set(key, ruleSet);
    return {
      readsBody: true,
      judge: (view, { isResponseAwaited } = { isResponseAwaited: false }) =>
        this.#judge(ruleSet, view, { ids, isResponseAwaited }),
    };
  }

  #judge(ruleSet: RuleSet, view: RequestView, { ids, isResponseAwaited }: Judging): ScoringResult {
    const transaction = new Transaction(ruleSet, toSecRequest(view), {
      engine: 'detection-only',
      collections: this.#collections,
      clock: realClock,
      describesMatches: false,
    });
    const result = runPhases(transaction, ids, () => runRequest(transaction));
    if (!isResponseAwaited || result.exhaustedIn !== undefined) return result;
    return { ...result, judgeResponse: (response) => judgeResponse(transaction, response, ids) };
  }
}

/** Evaluates what does not depend on requests now, before the first request arrives. */
function chooseRules(loaded: RuleSet, without: ReadonlySet<number>, level: number): RuleSet {
  const chosen = loaded.choose({ without, variables: [['gatehouse_level', String(level)]] });
  chosen.prepare();
  return chosen;
}

/** In the same transaction: rules about the response read variables that those about the request have set. */
function judgeResponse(
  transaction: Transaction,
  response: OriginResponse,
  ids: Judging['ids'],
): ResponseResult {
  const result = runPhases(transaction, ids, () =>
    runResponse(transaction, { protocol: 'HTTP/1.1', ...response }),
  );
  const set = Number(transaction.readTx('outbound_anomaly_score_threshold'));
  return { ...result, threshold: set > 0 ? set : responseThreshold };
}

/** The matches of rules during `run`. */
function runPhases(
  transaction: Transaction,
  ids: Judging['ids'],
  run: () => void,
): Pick<ScoringResult, 'findings' | 'exhaustedIn'> {
  const before = transaction.matched.length;
  let exhaustedIn: string | undefined;
  try {
    run();
  } catch (error) {
    if (!(error instanceof OutOfSteps)) throw error;
    const { current } = transaction;
    exhaustedIn = current === undefined ? '' : (ids.get(current.id) ?? String(current.id));
  }
  const findings = transaction.matched.slice(before).flatMap((matched) => toFinding(matched, ids));
  return exhaustedIn === undefined ? { findings } : { findings, exhaustedIn };
}

function toFinding({ rule, values }: MatchedRule, ids: ReadonlyMap<number, string>): Finding[] {
  const ruleId = ids.get(rule.id);
  return ruleId === undefined ? [] : [{ ruleId, values: pickValues(values) }];
}

/** Links of a chain also match on variables of the rules themselves, which contain nothing of the request. */
function pickValues(values: readonly FoundValue[]): readonly FoundValue[] {
  const ofRequest = values.filter(({ name }) => !/^&?(?:TX|MATCHED_VARS?|IP|GLOBAL)\b/.test(name));
  return ofRequest.length === 0 ? values : ofRequest;
}
