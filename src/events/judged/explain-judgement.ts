/** Describes how a request was judged: the steps it took, and for each rule that acted the tree of its expression. */
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
import { formatIp, Ip, showText } from '#base';
import type { CompiledZone, Judgement, Score, StepReport, Triggered } from '#firewall';
import { explainedRulesMax, partCharactersMax, valueCharactersMax } from '../limits.ts';
import type { Judged, JudgedMatch, JudgedPart, JudgedRule, JudgedScore, JudgedStep } from './judged.ts';
import { isSecretOperand, Secrets } from './secrets.ts';

/** The judgement must have reports of its steps. */
export function explainJudgement(zone: CompiledZone, view: RequestView, judgement: Judgement): Judged {
  const writer = new Writer(view, zone.options);
  const { triggered } = judgement;
  return {
    version: zone.configuration.version,
    steps: judgement.steps.map(toStep),
    rules: triggered.map((rule, index) =>
      index < explainedRulesMax || index === triggered.length - 1
        ? writer.writeRule(rule)
        : pickRuleFields(rule),
    ),
  };
}

/** Field by field: every logged request has several steps, and copies of the rest of an object are slow. */
function toStep(report: StepReport): JudgedStep {
  const { source, phase, rulesetId, version, level, reached, ruleCount, matched, end } = report;
  const endText = end.kind === 'complete' ? 'complete' : `${end.kind} by ${end.by}`;
  return { source, phase, rulesetId, version, level, reached, ruleCount, matched, end: endText };
}

function pickRuleFields({ source, ruleId, rulesetId, action, description }: Triggered): JudgedRule {
  return { source, ruleId, rulesetId, action, description };
}

class Writer {
  readonly #view: RequestView;
  readonly #options: RunOptions;
  readonly #secrets: Secrets;

  constructor(view: RequestView, options: RunOptions) {
    this.#view = view;
    this.#options = options;
    this.#secrets = Secrets.findIn(view);
  }

  writeRule(triggered: Triggered): JudgedRule {
    const { filter, score } = triggered;
    return {
      ...pickRuleFields(triggered),
      ...(filter === undefined ? {} : { tree: this.#writeTree(filter) }),
      ...(score === undefined ? {} : { score: this.#writeScore(score) }),
    };
  }

  #writeScore({ total, threshold, contributions }: Score): JudgedScore {
    return {
      total,
      threshold,
      contributions: contributions.map(({ filter, ...contribution }) => ({
        ...contribution,
        tree: this.#writeTree(filter),
      })),
    };
  }

  #writeTree(filter: Filter): JudgedPart {
    return this.#writePart(explain(filter, this.#view, this.#options));
  }

  #writePart({ text: whole, outcome, parts }: Explanation): JudgedPart {
    const text = whole.length > partCharactersMax ? `${whole.slice(0, partCharactersMax)}…` : whole;
    if (outcome.state === 'not reached') return { text, result: 'not reached' };
    const isTrue = Array.isArray(outcome.result) ? outcome.result.includes(true) : outcome.result === true;
    const { seen } = outcome;
    return {
      text,
      result: isTrue ? 'true' : 'false',
      ...(seen === undefined ? {} : this.#writeSeen(seen)),
      ...(parts.length === 0 ? {} : { parts: parts.map((part) => this.#writePart(part)) }),
    };
  }

  #writeSeen({ field, operand, value, matches }: Seen): Partial<JudgedPart> {
    if (isSecretOperand(operand)) return { field, value: '(hidden)' };
    const matched = matches.flatMap((match) => this.#writeMatch(value, match));
    return {
      field,
      value: this.#writeValue(value, matches),
      ...(matched.length === 0 ? {} : { matched }),
    };
  }

  #writeMatch(value: Value | undefined, { element, bytes }: Match): JudgedMatch[] {
    const text = element === undefined ? value : (value as readonly Value[] | undefined)?.[element];
    if (typeof text !== 'string' || bytes === undefined) return [];
    const { start, end } = bytes;
    const shown = this.#showBytes(text, { start, end: Math.min(end, start + valueCharactersMax) });
    return [{ text: shown, start, end, ...(element === undefined ? {} : { element }) }];
  }

  #writeValue(value: Value | undefined, matches: readonly Match[]): string {
    if (value === undefined) return '(nothing)';
    if (typeof value === 'string') return this.#cutAround(value, matches[0]?.bytes?.start ?? 0);
    if (typeof value !== 'object') return String(value);
    if (value instanceof Ip) return formatIp(value);
    // The names show which values there are; the values can be anything.
    if (value instanceof Map) return this.#cutAround([...value.keys()].join(', '), 0);
    return this.#writeList(value as readonly Value[], matches);
  }

  /** The values that matched; the first ones if none did. */
  #writeList(values: readonly Value[], matches: readonly Match[]): string {
    const matched = matches.flatMap((match) => (match.element === undefined ? [] : [match]));
    const shown =
      matched.length === 0 ? values.slice(0, 10) : matched.map(({ element }) => values[element!]!);
    let text = '';
    for (const [index, each] of shown.entries()) {
      if (text.length > valueCharactersMax) return `${text}, …`;
      text += `${index === 0 ? '' : ', '}${this.#writeValue(each, matched.slice(index, index + 1))}`;
    }
    return shown.length < values.length && matched.length === 0 ? `${text}, …` : text;
  }

  /** As much of the text as fits, with the position visible. */
  #cutAround(text: string, place: number): string {
    const start = text.length <= valueCharactersMax ? 0 : Math.max(0, place - valueCharactersMax / 4);
    const end = Math.min(text.length, start + valueCharactersMax);
    const shown = this.#showBytes(text, { start, end });
    return `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`;
  }

  /** Bytes that are valid UTF-8 are shown as text. */
  #showBytes(bytes: string, { start, end }: { readonly start: number; readonly end: number }): string {
    return showText(this.#secrets.show(bytes, start, end));
  }
}
