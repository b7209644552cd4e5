/**
 * Runs the rules of one version for all zones of a process. They are compiled when the first zone needs them, and then
 * shared: a deployment only says which of them count and how far the paranoia level goes.
 *
 * - Scores are added up by the ruleset, not by the rules: their own thresholds and actions do nothing.
 * - The paranoia level is that of the highest rule in force. It overrides the set-up file; everything else that the
 *   set-up file chooses holds.
 */
import { nextTurn, OutOfSteps, realClock } from '#base';
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
 * Read behind the set-up file: the level, under the names that the versions of CRS give it. Rules without a set-up file have
 * the defaults of CRS, which would refuse every request without one.
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

/** Choices of rules that further zones can share; a zone keeps its own anyway. */
const chosenMax = 64;

/** Where the set-up file says nothing, as in CRS. */
const responseThreshold = 4;

interface Judging {
  /** What the catalogue calls the rules. */
  readonly ids: ReadonlyMap<number, string>;
  readonly isResponseAwaited: boolean;
}

export class CoreEngine {
  readonly #rules: CoreRules;
  readonly #levels: ReadonlyMap<number, number>;
  readonly #collections = new PersistentCollections(realClock);
  /** By level and the rules that are left out: most zones choose alike. */
  readonly #chosen = new Map<string, RuleSet>();
  #loaded: RuleSet | undefined;

  constructor(rules: CoreRules, scoring: readonly ScoringRule[]) {
    this.#rules = rules;
    this.#levels = new Map(scoring.map(({ number, paranoiaLevel }) => [number, paranoiaLevel]));
  }

  /** Whether a zone has needed the rules. */
  get isLoaded(): boolean {
    return this.#loaded !== undefined;
  }

  /** Compiles the rules, in turns between which requests are served. */
  async prepare(): Promise<void> {
    const source = toRuleSource(this.#rules, levelFile);
    this.#loaded ??= await loadRulesInTurns(source, nextTurn);
  }

  /** The engine for a catalogue that knows the rules by these ids. */
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
    if (this.#chosen.size >= chosenMax) this.#chosen.clear();
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

/** Settles what does not depend on requests now, not when the first one comes. */
function chooseRules(loaded: RuleSet, without: ReadonlySet<number>, level: number): RuleSet {
  const chosen = loaded.choose({ without, variables: [['gatehouse_level', String(level)]] });
  chosen.prepare();
  return chosen;
}

/** In the same transaction: rules about the response read what those about the request have set. */
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

/** What rules have found while `run` did. */
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

/** Links of a chain also match on variables of the rules themselves, which say nothing about the request. */
function pickValues(values: readonly FoundValue[]): readonly FoundValue[] {
  const ofRequest = values.filter(({ name }) => !/^&?(?:TX|MATCHED_VARS?|IP|GLOBAL)\b/.test(name));
  return ofRequest.length === 0 ? values : ofRequest;
}
