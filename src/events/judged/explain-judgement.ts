/** How a request was judged, written down: the steps it took, and for each rule that acted the tree of its expression. */
import {
  explain,
  type Explanation,
  type Filter,
  type Match,
  type RequestView,
  type RunOptions,
  type Seen,
  type Value,
} from '#expressions';
import { formatIp, Ip } from '#base';
import type { CompiledZone, Judgement, Score, StepReport, Triggered } from '#firewall';
import { explainedRulesMax, partCharactersMax, valueCharactersMax } from '../limits.ts';
import type { Judged, JudgedMatch, JudgedPart, JudgedRule, JudgedScore, JudgedStep } from './judged.ts';
import { isSecretOperand, Secrets } from './secrets.ts';

/** The judgement has reports of its steps. */
export function explainJudgement(zone: CompiledZone, view: RequestView, judgement: Judgement): Judged {
  const writer = new Writer(view, zone.options);
  const { triggered } = judgement;
  return {
    version: zone.configuration.version,
    steps: judgement.steps.map(stepOf),
    rules: triggered.map((rule, index) =>
      index < explainedRulesMax || index === triggered.length - 1 ? writer.rule(rule) : ruleFields(rule),
    ),
  };
}

function stepOf({ end, ...step }: StepReport): JudgedStep {
  return { ...step, end: end.kind === 'complete' ? 'complete' : `${end.kind} by ${end.by}` };
}

function ruleFields({ source, ruleId, rulesetId, action, description }: Triggered): JudgedRule {
  return { source, ruleId, rulesetId, action, description };
}

class Writer {
  readonly #view: RequestView;
  readonly #options: RunOptions;
  readonly #secrets: Secrets;

  constructor(view: RequestView, options: RunOptions) {
    this.#view = view;
    this.#options = options;
    this.#secrets = Secrets.of(view);
  }

  rule(triggered: Triggered): JudgedRule {
    const { filter, score } = triggered;
    return {
      ...ruleFields(triggered),
      ...(filter === undefined ? {} : { tree: this.#tree(filter) }),
      ...(score === undefined ? {} : { score: this.#score(score) }),
    };
  }

  #score({ total, threshold, contributions }: Score): JudgedScore {
    return {
      total,
      threshold,
      contributions: contributions.map(({ filter, ...contribution }) => ({
        ...contribution,
        tree: this.#tree(filter),
      })),
    };
  }

  #tree(filter: Filter): JudgedPart {
    return this.#part(explain(filter, this.#view, this.#options));
  }

  #part({ text: whole, outcome, parts }: Explanation): JudgedPart {
    const text = whole.length > partCharactersMax ? `${whole.slice(0, partCharactersMax)}…` : whole;
    if (outcome.state === 'not reached') return { text, result: 'not reached' };
    const isTrue = Array.isArray(outcome.result) ? outcome.result.includes(true) : outcome.result === true;
    const { seen } = outcome;
    return {
      text,
      result: isTrue ? 'true' : 'false',
      ...(seen === undefined ? {} : this.#seen(seen)),
      ...(parts.length === 0 ? {} : { parts: parts.map((part) => this.#part(part)) }),
    };
  }

  #seen({ field, operand, value, matches }: Seen): Partial<JudgedPart> {
    if (isSecretOperand(operand)) return { field, value: '(hidden)' };
    const matched = matches.flatMap((match) => this.#match(value, match));
    return {
      field,
      value: this.#value(value, matches),
      ...(matched.length === 0 ? {} : { matched }),
    };
  }

  #match(value: Value | undefined, { element, bytes }: Match): JudgedMatch[] {
    const text = element === undefined ? value : (value as readonly Value[] | undefined)?.[element];
    if (typeof text !== 'string' || bytes === undefined) return [];
    const { start, end } = bytes;
    const shown = this.#shown(text, { start, end: Math.min(end, start + valueCharactersMax) });
    return [{ text: shown, start, end, ...(element === undefined ? {} : { element }) }];
  }

  #value(value: Value | undefined, matches: readonly Match[]): string {
    if (value === undefined) return '(nothing)';
    if (typeof value === 'string') return this.#around(value, matches[0]?.bytes?.start ?? 0);
    if (typeof value !== 'object') return String(value);
    if (value instanceof Ip) return formatIp(value);
    // Names alone tell which; values can be anything.
    if (value instanceof Map) return this.#around([...value.keys()].join(', '), 0);
    return this.#list(value as readonly Value[], matches);
  }

  /** The values that matched; the first ones if none did. */
  #list(values: readonly Value[], matches: readonly Match[]): string {
    const matched = matches.flatMap((match) => (match.element === undefined ? [] : [match]));
    const shown =
      matched.length === 0 ? values.slice(0, 10) : matched.map(({ element }) => values[element!]!);
    let text = '';
    for (const [index, each] of shown.entries()) {
      if (text.length > valueCharactersMax) return `${text}, …`;
      text += `${index === 0 ? '' : ', '}${this.#value(each, matched.slice(index, index + 1))}`;
    }
    return shown.length < values.length && matched.length === 0 ? `${text}, …` : text;
  }

  /** So much of it as fits, with a place in sight. */
  #around(text: string, place: number): string {
    const start = text.length <= valueCharactersMax ? 0 : Math.max(0, place - valueCharactersMax / 4);
    const end = Math.min(text.length, start + valueCharactersMax);
    const shown = this.#shown(text, { start, end });
    return `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`;
  }

  /** Bytes that are UTF-8 are shown as text. */
  #shown(bytes: string, { start, end }: { readonly start: number; readonly end: number }): string {
    return Buffer.from(this.#secrets.show(bytes, start, end), 'latin1').toString('utf8');
  }
}
